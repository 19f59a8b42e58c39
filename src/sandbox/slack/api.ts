/**
 * The types of the workspace's own HTTP API, with which its page, scripts and tests act as people in Slack. Paths are
 * under `/sandbox/`; Slack's Web API is under `/api/`, OAuth under `/oauth/` of the same origin.
 */

/*
 * A request names the acting person (`as`, a user id) and thereby the team; by default the first team's first person.
 * A POST is application/json, so that another site's page cannot send one without a preflight request.
 * An error is HTTP 4xx, or 502 where the app's answer fails, with `{ "ok": false, "error": "code", "why": "…" }`.
 *
 *   GET  /sandbox/state?as=U                      -> WorkspaceState
 *   GET  /sandbox/messages?as=U&channel=C&limit=N -> { messages: ShownMessage[] }   the newest N (default 1,000), oldest first, with that person's ephemeral ones
 *   GET  /sandbox/views?as=U                      -> { stack: ShownView[] }         the open modals, the top one last
 *   GET  /sandbox/home?as=U                       -> { view: ShownView | null }     without notifying the app
 *   GET  /sandbox/stream?as=U                     -> text/event-stream of StreamEvent: what changed; the page then requests it
 *   POST /sandbox/say       SayRequest            -> SayResult       a message, or a slash command if the text begins with /; `/invite @scandesk` and `/remove @scandesk` are Slack's own
 *   POST /sandbox/edit      { as, channel, ts, text } -> { ok }     edits a message of one's own
 *   POST /sandbox/action    ActionRequest         -> ActionResult    a click or a choice in a message, a modal or App Home; in a message of Slackbot's, a call of the app's MCP server
 *   POST /sandbox/options   OptionsRequest        -> { options, option_groups }  an external select's options
 *   POST /sandbox/submit    SubmitRequest         -> SubmitResult    a modal's submit button
 *   POST /sandbox/close     { as, view_id, all? } -> { ok }          a modal's cancel; with `all` its X
 *   POST /sandbox/home      { as, tab? }          -> { view }        opens App Home or its Messages tab (`messages`): sends app_home_opened
 *   POST /sandbox/shortcut  ShortcutRequest       -> ActionResult    a global or message shortcut
 *   POST /sandbox/upload    multipart: as, file   -> { file }        the file for a file_input, or to be shared in a message
 *   POST /sandbox/channels  { as, name, private? }-> { channel }
 *   POST /sandbox/invite    { as, channel, user } -> { ok }          `user` may be the app's bot
 *   POST /sandbox/kick      { as, channel, user } -> { ok }
 *   POST /sandbox/deactivate { as, user }         -> { ok }          the person stays listed but can do nothing
 *   POST /sandbox/rules     Partial<Rules>        -> Rules           rate limits, timeouts and injected faults
 *   POST /sandbox/archive   { as, channel }       -> { ok }          the channel accepts no more messages
 *   POST /sandbox/connect   { as, channel }       -> { ok }          the channel is shared with another organization from now on
 *   POST /sandbox/uninstall { as? }               -> { ok }          tokens die; sends app_uninstalled and tokens_revoked
 *   POST /sandbox/install   { as?, scopes? }      -> { ok }          makes the given bot token valid again, with these scopes instead of the manifest's
 *   POST /sandbox/revoke    { as?, tokens: 'bot'|'user' } -> { ok }  sends tokens_revoked; the bot's token dies, for a user's only the event is sent
 *   POST /sandbox/verify    {}                    -> { ok }          sends the app Slack's url_verification
 *   GET  /sandbox/file/ID?as=U                    -> the file's bytes, for pictures in messages
 *   GET  /sandbox/calls?since=N                   -> { calls: RecordedCall[] }  the app's Web API calls, without tokens
 */

export interface WorkspaceState {
  readonly team: { readonly id: string; readonly name: string };
  readonly me: Person;
  readonly people: readonly Person[];
  readonly channels: readonly Channel[];
  /** The commands in the app's manifest. */
  readonly commands: readonly {
    readonly command: string;
    readonly description: string;
    readonly usage_hint?: string;
  }[];
  readonly shortcuts: readonly {
    readonly name: string;
    readonly type: 'global' | 'message';
    readonly callback_id: string;
  }[];
  /** Workflows that start from a webhook, as Workflow Builder shows them to the people who manage them. */
  readonly workflows: readonly { readonly name: string; readonly url: string }[];
  readonly app: {
    readonly name: string;
    readonly bot_user_id: string;
    /** When the app was installed, in Unix milliseconds; absent if it is not. */
    readonly installed_at?: number;
    /** The steps of the guide that the workspace has done since, whoever did them. */
    readonly done: readonly GuideStep[];
    /** Whether the app's Messages tab does not accept messages. */
    readonly read_only: boolean;
  };
}

/** A step of the page's guide. That a service has a relay's URL, the account's scanner tells. */
export type GuideStep = 'connect' | 'lookup' | 'relay' | 'scan';

export interface Person {
  readonly id: string;
  readonly name: string;
  readonly real_name: string;
  readonly is_admin: boolean;
  readonly is_owner: boolean;
  readonly is_bot: boolean;
  readonly is_guest: boolean;
  /** Whether the person is from another organization; they appear in shared channels only. */
  readonly is_external?: boolean;
  /** The person's time zone, an IANA name. */
  readonly tz: string;
  /** A CSS color for the avatar. */
  readonly color: string;
}

export interface Channel {
  readonly id: string;
  readonly name: string;
  readonly is_private: boolean;
  readonly is_im: boolean;
  /** Whether the channel is shared with another organization. */
  readonly is_ext_shared: boolean;
  readonly is_archived?: boolean;
  readonly app_is_member: boolean;
  readonly members: readonly string[];
}

export interface ShownMessage {
  readonly ts: string;
  readonly channel: string;
  /** The author's user id; the bot user's for the app's messages. */
  readonly user: string;
  readonly text: string;
  readonly blocks?: readonly unknown[];
  /** Set for an ephemeral message: the only person who sees it. */
  readonly ephemeral_for?: string;
  readonly thread_ts?: string;
  /** Set for a reply that the channel shows too. */
  readonly subtype?: 'thread_broadcast';
  readonly edited?: boolean;
  /** The author's name for an in_channel response of the app, or for a workflow's message. */
  readonly from_app?: string;
  readonly attachments?: readonly unknown[];
  /** The message's metadata: not visible in Slack, but here for scripts. */
  readonly metadata?: { readonly event_type: string; readonly event_payload: Readonly<Record<string, unknown>> };
  readonly unfurl_links?: boolean;
  readonly unfurl_media?: boolean;
  readonly files?: readonly {
    readonly id: string;
    readonly name: string;
    readonly mimetype: string;
    readonly size: number;
    readonly deleted: boolean;
  }[];
  readonly reactions?: readonly { readonly name: string; readonly users: readonly string[] }[];
  readonly pinned?: boolean;
}

export interface ShownView {
  readonly id: string;
  readonly type: 'modal' | 'home';
  readonly callback_id: string;
  /** The view as the app sent it (title, blocks, submit, close…). */
  readonly view: Readonly<Record<string, unknown>>;
  /** The view's hash, which changes with every update by the app. */
  readonly hash?: string;
  /** The inputs' values by block_id and action_id, as in Slack's view.state.values. */
  readonly state?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Error messages by block_id, shown under an input. */
  readonly errors?: Readonly<Record<string, string>>;
}

export interface StreamEvent {
  readonly type: 'messages' | 'views' | 'home' | 'state' | 'notice';
  readonly channel?: string;
  /** The text of a `notice`: Slack's message, such as `/barcode failed with the error "operation_timeout"`. */
  readonly text?: string;
}

export interface SayRequest {
  readonly as: string;
  readonly channel: string;
  readonly text: string;
  readonly thread_ts?: string;
  /** Ids of the person's uploads; the text may then be empty. */
  readonly files?: readonly string[];
}

/** `acknowledged_ms`: how long the app took. `error`: Slack's code (operation_timeout, dispatch_failed …). */
export interface SayResult {
  readonly ok: boolean;
  readonly error?: string;
  readonly acknowledged_ms?: number;
  /** Whether the message mentions the app in a channel where the app is not, so that it does not see it. */
  readonly app_not_in_channel?: boolean;
}

export type Container =
  | { readonly type: 'message'; readonly channel: string; readonly ts: string }
  | { readonly type: 'view'; readonly view_id: string };

export interface ActionRequest {
  readonly as: string;
  readonly container: Container;
  readonly block_id: string;
  readonly action_id: string;
  /**
   * The person's choice, by the element's type, as in Slack's block_actions: `selected_option`, `selected_options`,
   * `selected_date`, `value` …
   */
  readonly chosen?: Readonly<Record<string, unknown>>;
  /** The values of the inputs around the element, by block_id and action_id, as in Slack's view.state.values. */
  readonly values?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

export interface ActionResult {
  readonly ok: boolean;
  readonly error?: string;
}

export interface OptionsRequest {
  readonly as: string;
  readonly container: Container;
  readonly block_id: string;
  readonly action_id: string;
  /** The text typed so far. */
  readonly value: string;
}

export interface SubmitRequest {
  readonly as: string;
  readonly view_id: string;
  /** The entered values; omitted inputs keep theirs. */
  readonly values: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/**
 * The outcome of a submit. `invalid_input`: Slack's client would not submit the form, see `errors`.
 * `trouble_connecting`: the app answered too late or with an invalid response; the modal stays open.
 */
export interface SubmitResult {
  readonly ok: boolean;
  readonly error?: string;
  /** The exact reason of `trouble_connecting`. */
  readonly why?: string;
  readonly response_action?: 'errors' | 'update' | 'push' | 'clear' | 'close';
  readonly errors?: Readonly<Record<string, string>>;
}

export interface ShortcutRequest {
  readonly as: string;
  readonly callback_id: string;
  readonly channel?: string;
  readonly message_ts?: string;
}

/** Rate limits and timeouts besides Slack's fixed limits, and injected faults. All can be changed at run time. */
export interface Rules {
  /**
   * Calls of conversations.history a minute, and as many of conversations.replies, in a workspace: Slack allows
   * distributed, unlisted apps 1, of 15 messages. 0: the method's tier only, as for internal and listed apps.
   */
  historyPerMinute: number;
  /**
   * Slack's reference does not say which page comes first if only `oldest` is given: the newest messages (the sandbox's
   * default), or those next to `oldest`. An app must find its message either way.
   */
  historyFromOldest: boolean;
  /** The delay before a new message shows in conversations.history and conversations.replies. */
  historyLagMs: number;
  /**
   * How chat.postMessage handles `client_msg_id`, for which Slack documents two errors and nothing else. `known`: a
   * repeated id returns the first message if it can still be read, else duplicate_message_not_found.
   * `refused`: invalid_arguments. `ignored`: no effect.
   */
  clientMsgIds: 'known' | 'refused' | 'ignored';
  /** chat.postMessage calls per second and channel, with a short burst, as in Slack. 0: no limit. */
  postsPerSecond: number;
  /** The acknowledgement timeout; Slack's is 3,000. */
  acknowledgeMs: number;
  triggerMs: number;
  /** Whether to enforce Slack's tiers (20, 50 or 100 calls per minute and method) and the limit of workflow starts. */
  methodTiers: boolean;
  /** How long an uploaded file has no type and cannot be used in a block. 0: no delay. */
  fileProcessingMs: number;
  /** Delays before an unacknowledged event is sent again; the default is Slack's. */
  eventRetryMs: readonly number[];
  /**
   * Faults for the next calls of a method (`response_url`: posts to one; `workflow_trigger`: starts of a workflow).
   * `die`: the work is done, but the connection breaks before the response. `slow`: the response comes `delayMs` later.
   * In all others no work is done: `timeout` gives no response, `refused` Slack's error code `error`, with the missing
   * scope in `needed` where Slack names it. `retryAfter`: seconds, for `429`.
   */
  faults: readonly {
    readonly method: string;
    readonly times: number;
    readonly as: '429' | '500' | '503' | 'timeout' | 'die' | 'reset' | 'html' | 'slow' | 'refused';
    readonly retryAfter?: number;
    readonly delayMs?: number;
    readonly error?: string;
    readonly needed?: string;
  }[];
}

export interface RecordedCall {
  readonly n: number;
  readonly at: number;
  readonly method: string;
  readonly ok: boolean;
  readonly error?: string;
  readonly body: Readonly<Record<string, unknown>>;
}
