/** Unsupported directives. */
import { RdataError, shown } from '../rdata/rdata-error.ts';

/** @throws RdataError */
export function refuseDirective(name: string): never {
  const reasons: Readonly<Record<string, string>> = {
    $INCLUDE: '$INCLUDE is refused, because other files are not available. Put the text of that file here.',
    $GENERATE: '$GENERATE is refused. Write the records themselves, as named-compilezone prints them.',
  };
  throw new RdataError(
    reasons[name] ?? `The directive ${shown(name)} is unknown. Use only $ORIGIN and $TTL.`,
  );
}
