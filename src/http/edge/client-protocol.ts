/** Protocols other than that of the API, for clients that neither send its tokens nor read its refusals. */
import type { ErrorKind } from '../../model/errors.ts';
import type { EdgeKind, HttpRefusal } from './errors.ts';
import type { RequestHeaders, ResponseHeader } from './headers.ts';

/** A refusal as text. */
export interface TextRefusal {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** How a refusal is described. */
export interface DescribedRefusal {
  readonly description: string;
  readonly example: string;
  readonly headers: readonly ResponseHeader[];
}

/** How the clients of a route log in, and how it refuses. */
export interface ClientProtocol {
  /** The token of a request; undefined if it has none. */
  tokenOf(headers: RequestHeaders): string | undefined;
  /** The name of its security scheme in the API document. */
  readonly security: 'basic';
  /** Its refusals, by status. */
  readonly refusals: Readonly<Record<number, DescribedRefusal>>;
  /** Puts a refusal into the words of the protocol. It also gets what is refused before the operation. */
  refuse(kind: ErrorKind | EdgeKind, refusal: HttpRefusal): TextRefusal;
}
