const PROJECT_ID = /^[A-Za-z0-9._-]{1,64}$/;

/** Whether the text is a valid project (tenant) id: 1 to 64 characters of `[A-Za-z0-9._-]`, not `.` or `..`. */
export function isProjectId(text: string): boolean {
  return PROJECT_ID.test(text) && text !== '.' && text !== '..';
}

export const PROJECT_ID_RULE =
  'A project id has 1 to 64 characters from A-Z, a-z, 0-9, ".", "_" and "-", and is not "." or "..".';
