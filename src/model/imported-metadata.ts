/** Metadata imported from another service. Times are in the format of the interface. */
export interface ImportedMetadata {
  readonly id: string;
  readonly createdAt: string;
  readonly updatedAt: string | null;
}
