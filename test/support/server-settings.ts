/** A server that no time limit of the test's own ends. */
export const SERVER_SETTINGS = {
  host: '127.0.0.1',
  port: 0,
  maxHeaderSize: 16_384,
  maxConnections: 10,
  maxConnectionsPerClient: 10,
  trustedProxies: [],
  headerTimeout: 60_000,
  requestTimeout: 60_000,
  sendTimeout: 60_000,
  keepAliveTimeout: 60_000,
};
