/** The project of a caller without one, such as a system administrator. No project has this id. */
export const NO_PROJECT = '';

/** Details of a caller from the identity service, for the log. */
export interface CallerDetails {
  readonly userName: string;
  readonly userDomain: string;
  readonly projectName?: string | undefined;
  readonly projectDomain?: string | undefined;
  /** The ids under which the identity service logs the token. */
  readonly auditIds: readonly string[];
}

/** The caller as the domain sees it. */
export interface Caller {
  /** `NO_PROJECT` if the credentials are not for a project. */
  readonly projectId: string;
  readonly userId: string;
  /** As granted; the policy resolves implied roles. */
  readonly roles: readonly string[];
  /** Set if the roles are granted on the whole system rather than on a project. */
  readonly systemScope?: 'all' | undefined;
  readonly details?: CallerDetails | undefined;
}
