/** Metadata imported from another service. Times are in the format of the interface. */
export interface Kept {
  readonly id: string;
  readonly createdAt: string;
  readonly updatedAt: string | null;
}
