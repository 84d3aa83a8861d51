/** The scope of an act: the resources of one project, or of all projects. */
export type Scope = { readonly projectId: string } | 'all projects';
