/** The tables of guardrails. */
export interface GuardrailSchema {
  /** The names that recordsets point at, except those that the service manages. */
  record_targets: {
    /** The id of the recordset, a space, and the target. */
    key: string;
    recordset_id: string;
    /** The owner of the zone. */
    project_id: string;
    target: string;
    type: string;
  };
  /**
   * One row: the progress of the job that indexes recordsets written by earlier versions, which know no targets.
   */
  target_index: {
    name: string;
    /** The id of the last recordset indexed in this pass. */
    up_to: string;
    /** Number of finished passes. */
    passes: number;
    /** When the last one finished; '' for never. */
    finished_at: string;
  };
}
