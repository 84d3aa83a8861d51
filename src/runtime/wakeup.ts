/** Wakes a job early, from where its work arises. Does nothing until the job is started. */
export class Wakeup {
  #listener = (): void => {};

  wake(): void {
    this.#listener();
  }

  /** Sets the function that wakes the job. */
  connect(listener: () => void): void {
    this.#listener = listener;
  }
}
