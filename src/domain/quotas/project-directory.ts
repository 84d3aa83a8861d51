/** Knows which projects there are. */
export interface ProjectDirectory {
  /** @throws DomainError `identity_unavailable` if it cannot be asked now */
  exists(projectId: string): Promise<boolean>;
}
