/** The id and time of an event, assigned before the event is emitted so that other data can refer to it. */
export interface Stamp {
  readonly id: string;
  readonly time: string;
}
