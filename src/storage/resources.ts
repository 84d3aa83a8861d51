/** The resources that register themselves in the store, a line for each. */
// biome-ignore-all lint/performance/noBarrelFile: this is a list, and all of it is always used
export { tlds } from './tlds.ts';
