/** What a thing keeps of its life in another service. Times are those of the interface. */
export interface Kept {
  readonly id: string;
  readonly createdAt: string;
  readonly updatedAt: string | null;
}
