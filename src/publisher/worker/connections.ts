import { connect, type Socket } from 'node:net';
import type { ServerAddress } from '../../model/pools/pool.ts';
import { randomId } from './dns-query.ts';
import { type Build, type DnsResponse, NO_ANSWER, systemFault } from './dns-response.ts';
import { timed } from './with-timeout.ts';

const LENGTH_OCTETS = 2;

/** Passes on the first message that arrives (RFC 1035 section 4.2.2). At most 65,535 octets are kept. */
function readMessage(socket: Socket, done: (message: Buffer) => void): void {
  let received = Buffer.alloc(0);
  socket.on('data', (part: Buffer) => {
    received = Buffer.concat([received, part]);
    if (received.length < LENGTH_OCTETS) return;
    const end = LENGTH_OCTETS + received.readUInt16BE(0);
    if (received.length < end) return;
    socket.removeAllListeners('data');
    socket.pause();
    done(received.subarray(LENGTH_OCTETS, end));
  });
}

function withLength(bytes: Buffer): Buffer {
  const length = Buffer.alloc(LENGTH_OCTETS);
  length.writeUInt16BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

/** Sends one query over its own TCP connection and returns the response, waiting at most `ms` milliseconds. */
export async function askByTcp(
  server: ServerAddress,
  build: Build,
  ms: number,
  signal: AbortSignal,
): Promise<DnsResponse> {
  const asked = build(randomId());
  const socket = connect({ host: server.host, port: server.port });
  let fault = NO_ANSWER;
  try {
    const answered = await timed<DnsResponse | undefined>(ms, signal, (done) => {
      socket.on('error', (error) => {
        fault = systemFault(error);
        done(undefined);
      });
      socket.on('close', () => done(undefined));
      readMessage(socket, (answer) => {
        const read = asked.read(answer);
        if (!read.isAnswer) fault = read.why;
        done(
          read.isAnswer ? { message: read.message, fault: undefined, isProven: read.isProven } : undefined,
        );
      });
      socket.write(withLength(asked.bytes));
    });
    return answered ?? { message: undefined, fault };
  } finally {
    socket.destroy();
  }
}
