interface Published {
  readonly status: string;
  readonly action: string;
}

/** How far the publication of a zone or recordset is. */
export function Status({ status, action }: Published) {
  return (
    <span class={`status ${status}`}>
      {status}
      {action !== 'NONE' && ` ${action.toLowerCase()}`}
    </span>
  );
}
