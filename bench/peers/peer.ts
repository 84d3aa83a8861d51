/** What is measured beside others, with what it is sent. */
export interface PeerRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
}

export interface Requests {
  create(zone: string): PeerRequest;
  /** Replaces the A records of a name with one address. */
  write(zone: string, name: string, address: string): PeerRequest;
  find(zone: string): PeerRequest;
  recordsets(zone: string): PeerRequest;
  list(): PeerRequest;
}

export interface Peer {
  readonly title: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly pid: number;
  readonly requests: Requests;
  /** Looks up what requests about a zone need. */
  learn?(zone: string): Promise<void>;
  /** Creates a recordset, where `write` does not. */
  makeRecordset?(zone: string, name: string, address: string): Promise<void>;
  remove(): Promise<void>;
}
