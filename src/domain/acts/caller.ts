/** Who is asking, as the domain needs to know it. */
export interface Caller {
  readonly projectId: string;
  readonly userId: string;
  /** As granted; what a role implies is worked out by the policy. */
  readonly roles: readonly string[];
}
