/** Whose things an act sees and changes: those of one project, or everybody's. */
export type Scope = { readonly projectId: string } | 'all projects';
