import type { Socket } from 'node:dgram';
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';
import type { ServerAddress } from '../../model/pools/pool.ts';
import type { TcpConnections } from './connections.ts';
import type { UdpServer } from './udp-server.ts';

/** Maximum number of free TCP ports to try until one is also free for UDP. */
const ATTEMPTS = 20;
/** Maximum number of connections that wait to be accepted. */
const BACKLOG = 511;

/** A pair of sockets on one address and port. */
export interface DnsListener {
  readonly address: ServerAddress;
  /** Stops accepting messages and connections. Open connections stay open. */
  close(): void;
}

interface Doors {
  readonly connections: TcpConnections;
  readonly datagrams: UdpServer;
}

/** `events.once` rejects if the socket emits `error` instead. */
async function listenTcp(server: Server, host: string, port: number, isIpv6: boolean): Promise<number> {
  server.listen({ host, port, backlog: BACKLOG, ipv6Only: isIpv6 });
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

async function listenUdp(socket: Socket, host: string, port: number): Promise<void> {
  socket.bind(port, host);
  await once(socket, 'listening');
}

async function tryToListen(doors: Doors, host: string, port: number, isIpv6: boolean): Promise<DnsListener> {
  const server = doors.connections.server();
  const taken = await listenTcp(server, host, port, isIpv6);
  const socket = doors.datagrams.socket(isIpv6);
  try {
    await listenUdp(socket, host, taken);
  } catch (error) {
    server.close();
    socket.close();
    throw error;
  }
  // Later errors concern a single client.
  server.on('error', () => {});
  socket.on('error', () => {});
  const close = () => {
    server.close();
    socket.close();
  };
  return { address: { host, port: taken }, close };
}

const isTaken = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'EADDRINUSE';

/**
 * Listens on an address over TCP and UDP; port 0 picks a port that is free for both.
 * @throws the system's error
 */
export async function listenOn(doors: Doors, { host, port }: ServerAddress): Promise<DnsListener> {
  const { address, family } = await lookup(host);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await tryToListen(doors, address, port, family === 6);
    } catch (error) {
      if (port !== 0 || attempt === ATTEMPTS || !isTaken(error)) throw error;
    }
  }
}
