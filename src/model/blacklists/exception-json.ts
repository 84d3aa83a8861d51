import type { Fqdn } from '../../dns/names.ts';
import type { BlacklistException } from './blacklist.ts';

/** An exception in the API and in files. */
export interface ExceptionOnWire {
  readonly project_id: string | null;
  readonly name: Fqdn | null;
  readonly description: string | null;
  readonly expires_at: string | null;
}

/** Converts an exception to its API form. */
export function exceptionShown({
  projectId,
  name,
  description,
  expiresAt,
}: BlacklistException): ExceptionOnWire {
  return { project_id: projectId, name, description, expires_at: expiresAt };
}
