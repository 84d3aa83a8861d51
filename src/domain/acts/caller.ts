/** The caller, as the domain sees it. */
export interface Caller {
  readonly projectId: string;
  readonly userId: string;
  /** As granted; the policy resolves implied roles. */
  readonly roles: readonly string[];
}
