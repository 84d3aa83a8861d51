/** Unsupported directives. */
import { RdataError, shown } from '../rdata/rdata-error.ts';

/** @throws RdataError */
export function refuseDirective(name: string): never {
  const reasons: Readonly<Record<string, string>> = {
    $INCLUDE:
      '$INCLUDE is not supported, because other files are not available. Insert the text of that file here.',
    $GENERATE: '$GENERATE is not supported. Write out the records, as named-compilezone prints them.',
  };
  throw new RdataError(
    reasons[name] ?? `The directive ${shown(name)} is unknown. Use only $ORIGIN and $TTL.`,
  );
}
