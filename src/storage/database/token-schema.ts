/** The table of API tokens. */
export interface TokenSchema {
  api_tokens: {
    id: string;
    hash: string;
    project_id: string;
    user_id: string;
    /** A JSON list. '[]' for tokens that are less than their roles, so that an older process gives them no rights. */
    roles: string;
    created_at: string;
    expires_at: string;
    description: string | null;
    /** A JSON list where `roles` is '[]' for that reason; otherwise ''. */
    own_roles: string;
    /** A scope in JSON; '' for none. */
    scope: string;
    /** The ids of the tokens that it descends from, separated by spaces; the one that created it comes last. */
    ancestors: string;
    /** '' until its first use. */
    last_used_at: string;
    last_used_from: string;
    /** Seconds without use after which it ends; 0 for none. */
    max_unused: number;
    /** 1 if it counts towards the project's limit. */
    counted: number;
  };
}
