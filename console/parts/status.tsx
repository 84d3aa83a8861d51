interface Published {
  readonly status: string;
  readonly action: string;
}

/** Publication status of a zone or recordset. */
export function Status({ status, action }: Published) {
  return (
    <span class={`status ${status}`}>
      {status}
      {action !== 'NONE' && ` ${action.toLowerCase()}`}
    </span>
  );
}
