/** The resources that bring a part of their own to the model, a line for each. */
// biome-ignore-all lint/performance/noBarrelFile: this is a list, and all of it is always used
export { tlds } from './tlds/resource.ts';
