/** Who changes a zone, by which way in. */

/** The ways in which a zone is changed. `transfer` is a transfer to another project, or from a master. */
export const DOORS = [
  'api',
  'changes',
  'contents',
  'import',
  'update',
  'dyndns',
  'restore',
  'revert',
  'transfer',
  'service',
] as const;
export type Door = (typeof DOORS)[number];

/** Who acts, as in events. Texts are '' where there is nothing to tell. */
export interface ChangeActor {
  readonly origin: string;
  readonly actorProjectId: string;
  readonly callerProjectId: string;
  readonly userId: string;
  readonly requestId: string;
  readonly address: string;
}

export interface ChangeSource {
  readonly door: Door;
  readonly actor: ChangeActor;
  /** The caller's words about the change; null for none. */
  readonly description: string | null;
}

/** What the service does on its own. */
export const BY_SERVICE: ChangeSource = {
  door: 'service',
  actor: {
    origin: 'service',
    actorProjectId: '',
    callerProjectId: '',
    userId: '',
    requestId: '',
    address: '',
  },
  description: null,
};
