/** The resources that an operation may reach: those of one project, or of all projects. */
export type Scope = { readonly projectId: string } | 'all projects';
