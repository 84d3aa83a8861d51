import { DomainError } from '../../model/errors.ts';

/** Knows the existing projects. */
export interface ProjectDirectory {
  /** @throws DomainError `identity_unavailable` if the directory cannot be queried */
  exists(projectId: string): Promise<boolean>;
}

/** @throws DomainError `unknown_project` */
export async function requireKnownProject(projects: ProjectDirectory, projectId: string): Promise<void> {
  if (!(await projects.exists(projectId))) throw new DomainError('unknown_project');
}
