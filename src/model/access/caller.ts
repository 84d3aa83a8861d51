/** The project of a caller that has none, such as an administrator of the whole system: no project has this id. */
export const NO_PROJECT = '';

/** What an identity service knows of a caller, for those who read the log. */
export interface CallerDetails {
  readonly userName: string;
  readonly userDomain: string;
  readonly projectName?: string | undefined;
  readonly projectDomain?: string | undefined;
  /** The ids under which the identity service itself logs the token. */
  readonly auditIds: readonly string[];
}

/** The caller, as the domain sees it. */
export interface Caller {
  /** `NO_PROJECT` if the credentials are for no project. */
  readonly projectId: string;
  readonly userId: string;
  /** As granted; the policy resolves implied roles. */
  readonly roles: readonly string[];
  /** Set if the roles are granted on the whole system, not on a project. */
  readonly systemScope?: 'all' | undefined;
  readonly details?: CallerDetails | undefined;
}
