import type { ServerAddress } from '../../model/pools/pool.ts';

/** What the configuration of a name server is made of. */
export interface ServerSetting {
  /** Where the server answers. */
  readonly listen: ServerAddress;
  /** Where it asks for zones. */
  readonly primary: ServerAddress;
  readonly key: { readonly name: string; readonly algorithm: string; readonly secret: string };
  /** The name of the catalog, without its final dot. */
  readonly catalog: string;
  /** The absolute path of the folder in which it keeps its zones. */
  readonly directory: string;
  /** Whether the server runs in that folder as the current user, not as the machine's own service. */
  readonly isInFolder: boolean;
}

/** What is written for a name server, and the command that starts it. */
export interface ServerFiles {
  /** Texts by their names. */
  readonly files: Readonly<Record<string, string>>;
  readonly folders: readonly string[];
  /** @param folder as people write it */
  command(folder: string): string;
}
