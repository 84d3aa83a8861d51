import type { ServerAddress } from '../../model/pools/pool.ts';

/** The parameters of a name server's configuration. */
export interface ServerSetting {
  /** The address of the server. */
  readonly listen: ServerAddress;
  /** The address of its primary. */
  readonly primary: ServerAddress;
  readonly key: { readonly name: string; readonly algorithm: string; readonly secret: string };
  /** The name of the catalog, without the final dot. */
  readonly catalog: string;
  /** The absolute path of the folder for its zones. */
  readonly directory: string;
  /** True if the server runs in that folder as the current user, instead of as the machine's own service. */
  readonly isInFolder: boolean;
}

/** The files of a name server, and the command that starts it. */
export interface ServerFiles {
  /** Contents by file name. */
  readonly files: Readonly<Record<string, string>>;
  readonly folders: readonly string[];
  /** @param folder the path as the user wrote it */
  command(folder: string): string;
}
