/** The id and the time of an event that are given before it is told, for what names it. */
export interface Stamp {
  readonly id: string;
  readonly time: string;
}
