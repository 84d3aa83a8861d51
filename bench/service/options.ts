import { parseArgs } from 'node:util';

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '5' },
    patterns: { type: 'string', default: '10000' },
    tenants: { type: 'string', default: '1,64' },
    connections: { type: 'string', default: '1,16,64' },
    stores: { type: 'string', default: 'sqlite,postgresql' },
    parts: { type: 'string', default: 'load,everyday' },
  },
});

/** How long each row is measured. */
export const SECONDS = Number(options.seconds);
/** Seconds. */
export const WARM_UP = 1.5;
export const PATTERNS = Number(options.patterns);
/** How many tenants create at the same time, row by row. */
export const TENANTS = options.tenants.split(',').map(Number);
export const CONNECTIONS = options.connections.split(',').map(Number);
export const STORES = options.stores.split(',');
/** `load`: creates, reads and lists a second; `everyday`: the cost of the commonest requests beside one another; `skew`: skewed data. */
export const PARTS = options.parts.split(',');
