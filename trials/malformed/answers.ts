/** An answer as it stood on the wire. */
export interface RawAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface Head {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

function parseHead(text: string): Head | undefined {
  const [line = '', ...lines] = text.split('\r\n');
  const [, status] = /^HTTP\/1\.1 (\d{3}) /.exec(line) ?? [];
  if (status === undefined) return undefined;
  const headers = lines.map((one) => {
    const colon = one.indexOf(':');
    return [one.slice(0, colon).toLowerCase(), one.slice(colon + 1).trim()] as const;
  });
  return { status: Number(status), headers: Object.fromEntries(headers) };
}

/** Reads answers out of the bytes of one connection. */
export class AnswerReader {
  readonly answers: RawAnswer[] = [];
  /** Whether bytes came that are no answer. */
  isBroken = false;
  #rest: Buffer = Buffer.alloc(0);
  #head: Head | undefined;
  #chunks: Buffer[] = [];
  readonly #isForHead: boolean;

  /** @param isForHead whether answers have no body, whatever they announce */
  constructor(isForHead: boolean) {
    this.#isForHead = isForHead;
  }

  /** Whether the connection is good for another request, after the last answer. */
  get keepsConnection(): boolean {
    return this.answers.at(-1)?.headers.connection !== 'close' && this.#rest.length === 0;
  }

  take(bytes: Buffer): void {
    this.#rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    while (!this.isBroken && this.#step());
  }

  /** Reads one head or body, if it is there. */
  #step(): boolean {
    if (this.#head !== undefined) return this.#readBody(this.#head);
    const end = this.#rest.indexOf('\r\n\r\n');
    if (end === -1) return false;
    this.#head = parseHead(this.#rest.toString('latin1', 0, end));
    this.isBroken = this.#head === undefined;
    this.#rest = this.#rest.subarray(end + 4);
    // 100 Continue is no answer yet.
    if (this.#head !== undefined && this.#head.status < 200) this.#head = undefined;
    return true;
  }

  #readBody({ status, headers }: Head): boolean {
    if (this.#isForHead || status === 204) return this.#finish(0);
    if (headers['transfer-encoding'] === 'chunked') return this.#readChunk();
    const length = Number(headers['content-length'] ?? Number.NaN);
    this.isBroken = !Number.isInteger(length);
    return this.#rest.length >= length && this.#finish(length);
  }

  #readChunk(): boolean {
    const end = this.#rest.indexOf('\r\n');
    if (end === -1) return false;
    const length = Number.parseInt(this.#rest.toString('latin1', 0, end), 16);
    this.isBroken = Number.isNaN(length);
    if (this.#rest.length < end + length + 4) return false;
    this.#chunks.push(this.#rest.subarray(end + 2, end + 2 + length));
    this.#rest = this.#rest.subarray(end + length + 4);
    return length > 0 || this.#finish(0);
  }

  #finish(length: number): boolean {
    const body = Buffer.concat([...this.#chunks, this.#rest.subarray(0, length)]).toString('utf8');
    this.answers.push({ ...this.#head!, body });
    this.#rest = this.#rest.subarray(length);
    this.#head = undefined;
    this.#chunks = [];
    return true;
  }
}
