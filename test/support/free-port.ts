import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/** Listens on a port of 127.0.0.1; rejects when somebody else has it. */
export async function listen(server: Server, port: number): Promise<void> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
}

/**
 * Takes the name of a port among all test processes of this machine, until this process ends: Linux removes an abstract socket with
 * the process that listens on it. Between the check of a port and its server, no other test is given the same port.
 */
async function reserve(port: number): Promise<void> {
  const reservation = createServer();
  reservation.listen(`\0zonewarden-test-port-${port}`);
  await once(reservation, 'listening');
  reservation.unref();
}

async function requireFreeForTcp(port: number): Promise<void> {
  const server = createServer();
  await listen(server, port);
  await new Promise((resolve) => server.close(resolve));
}

async function requireFreeForUdp(port: number): Promise<void> {
  const socket = createSocket('udp4');
  try {
    socket.bind(port, '127.0.0.1');
    await once(socket, 'listening');
  } finally {
    socket.close();
  }
}

/**
 * A port of 127.0.0.1 that is free for TCP and UDP, and given out once. It is below the range of outgoing connections: one of these
 * could take it while its server is down for a moment.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 30_000);
    const isFree = await reserve(port)
      .then(() => requireFreeForTcp(port))
      .then(() => requireFreeForUdp(port))
      .then(
        () => true,
        () => false,
      );
    if (isFree) return port;
  }
}
