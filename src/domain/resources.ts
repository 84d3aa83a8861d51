/** The use cases of the resources that register themselves, a line for each. */
// biome-ignore-all lint/performance/noBarrelFile: this is a list, and all of it is always used
export { tldUseCases as tlds } from './tlds/tlds.ts';
