import { DomainError } from '../../model/errors.ts';

/** Knows which projects there are. */
export interface ProjectDirectory {
  /** @throws DomainError `identity_unavailable` if it cannot be asked now */
  exists(projectId: string): Promise<boolean>;
}

/** @throws DomainError `unknown_project` */
export async function requireKnownProject(projects: ProjectDirectory, projectId: string): Promise<void> {
  if (!(await projects.exists(projectId))) throw new DomainError('unknown_project');
}
