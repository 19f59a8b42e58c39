/**
 * Owns the workspace's own HTTP API, by which its page, scripts and tests do what a person does in Slack. JSON in, JSON
 * out, on the workspace's address under `/sandbox/`. Slack's Web API is beside it under `/api/`, OAuth under `/oauth/`.
 *
 * Every request names who acts (`as`, a user id), and thereby the team: one workspace can hold several. Where `as` is
 * left out, it is the first team's first person. A POST is application/json, so that no other site's page can send one.
 * `/invite @scandesk` and `/remove @scandesk` are Slack's own commands and work in say. A refusal is HTTP 4xx with `{ "ok": false, "error": "code", "why": "…" }`.
 *
 *   GET  /sandbox/state?as=U                      -> WorkspaceState
 *   GET  /sandbox/messages?as=U&channel=C&limit=N -> { messages: ShownMessage[] }   the newest N (1,000 unless said), oldest first, that person's ephemeral ones among them
 *   GET  /sandbox/views?as=U                      -> { stack: ShownView[] }         the open modals, the top one last
 *   GET  /sandbox/home?as=U                       -> { view: ShownView | null }     without telling the app
 *   GET  /sandbox/stream?as=U                     -> text/event-stream of StreamEvent (what changed; the page asks again)
 *   POST /sandbox/say       SayRequest            -> SayResult       a message, or a slash command when text begins with /
 *   POST /sandbox/action    ActionRequest         -> ActionResult    a click or a choice in a message, a modal or App Home
 *   POST /sandbox/options   OptionsRequest        -> { options, option_groups }  what an external select offers
 *   POST /sandbox/submit    SubmitRequest         -> SubmitResult    a modal's submit button
 *   POST /sandbox/close     { as, view_id }       -> { ok }          a modal's cancel or X
 *   POST /sandbox/home      { as }                -> { view }        opens App Home: the app hears app_home_opened
 *   POST /sandbox/shortcut  ShortcutRequest       -> ActionResult    a global or message shortcut
 *   POST /sandbox/upload    multipart: as, file   -> { file }        what a file_input then names
 *   POST /sandbox/channels  { as, name, private? }-> { channel }
 *   POST /sandbox/invite    { as, channel, user } -> { ok }          `user` may be the app's bot
 *   POST /sandbox/kick      { as, channel, user } -> { ok }
 *   POST /sandbox/deactivate { as, user }         -> { ok }          they are known, and do nothing any more
 *   POST /sandbox/rules     Partial<Rules>        -> Rules           what the workspace enforces, and faults to come
 *   POST /sandbox/archive  { as, channel }       -> { ok }          nobody posts there any more
 *   POST /sandbox/uninstall { as? }               -> { ok }          tokens die, app_uninstalled and tokens_revoked are sent
 *   POST /sandbox/install   { as?, scopes? }      -> { ok }          brings the given bot token back to life, with these scopes instead of the manifest's
 *   POST /sandbox/revoke    { as?, tokens: 'bot'|'user' } -> { ok }  tokens_revoked is sent; the bot's dies, a user's is only said to
 *   POST /sandbox/verify    {}                    -> { ok }          asks the app for Slack's URL challenge
 *   GET  /sandbox/file/ID?as=U                    -> the file's bytes  for pictures in messages
 *   GET  /sandbox/calls?since=N                   -> { calls: RecordedCall[] }  what the app asked of the Web API, tokens left out
 */

export interface WorkspaceState {
  readonly team: { readonly id: string; readonly name: string };
  readonly me: Person;
  readonly people: readonly Person[];
  readonly channels: readonly Channel[];
  /** From the app's manifest. */
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
  readonly app: {
    readonly name: string;
    readonly bot_user_id: string;
    /** Unix milliseconds; absent where the app is not installed. */
    readonly installed_at?: number;
    /** Nobody writes to the app: its messages are to be read only. */
    readonly read_only: boolean;
  };
}

export interface Person {
  readonly id: string;
  readonly name: string;
  readonly real_name: string;
  readonly is_admin: boolean;
  readonly is_owner: boolean;
  readonly is_bot: boolean;
  readonly is_guest: boolean;
  /** From another organisation, met in a shared channel only. */
  readonly is_external?: boolean;
  /** IANA. */
  readonly tz: string;
  /** A CSS colour for the avatar. */
  readonly color: string;
}

export interface Channel {
  readonly id: string;
  readonly name: string;
  readonly is_private: boolean;
  readonly is_im: boolean;
  /** Shared with another organisation. */
  readonly is_ext_shared: boolean;
  readonly is_archived?: boolean;
  readonly app_is_member: boolean;
  readonly members: readonly string[];
}

export interface ShownMessage {
  readonly ts: string;
  readonly channel: string;
  /** User id; the app's bot user for its messages. */
  readonly user: string;
  readonly text: string;
  readonly blocks?: readonly unknown[];
  /** Only this person sees it. */
  readonly ephemeral_for?: string;
  readonly thread_ts?: string;
  readonly edited?: boolean;
  /** Who posted it on whose behalf, for a command's in_channel answer. */
  readonly from_app?: string;
  readonly attachments?: readonly unknown[];
  /** Nobody sees it in Slack; scripts do here. */
  readonly metadata?: { readonly event_type: string; readonly event_payload: Readonly<Record<string, unknown>> };
  readonly unfurl_links?: boolean;
  readonly unfurl_media?: boolean;
  readonly files?: readonly {
    readonly id: string;
    readonly name: string;
    readonly mimetype: string;
    readonly size: number;
  }[];
  readonly reactions?: readonly { readonly name: string; readonly users: readonly string[] }[];
  readonly pinned?: boolean;
}

export interface ShownView {
  readonly id: string;
  readonly type: 'modal' | 'home';
  readonly callback_id: string;
  /** As the app gave it (title, blocks, submit, close…). */
  readonly view: Readonly<Record<string, unknown>>;
  /** Changes with every update by the app. */
  readonly hash?: string;
  /** What the inputs hold, by block_id and action_id, as Slack's view.state.values says it. */
  readonly state?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** By block_id, the message to show under an input. */
  readonly errors?: Readonly<Record<string, string>>;
}

export interface StreamEvent {
  readonly type: 'messages' | 'views' | 'home' | 'state' | 'notice';
  readonly channel?: string;
  /** For `notice`: what Slack would show, such as `/barcode failed with the error "operation_timeout"`. */
  readonly text?: string;
}

export interface SayRequest {
  readonly as: string;
  readonly channel: string;
  readonly text: string;
  readonly thread_ts?: string;
}

/** `acknowledged_ms`: how long the app took. `error`: as Slack words it (operation_timeout, dispatch_failed …). */
export interface SayResult {
  readonly ok: boolean;
  readonly error?: string;
  readonly acknowledged_ms?: number;
}

export type Container =
  | { readonly type: 'message'; readonly channel: string; readonly ts: string }
  | { readonly type: 'view'; readonly view_id: string };

export interface ActionRequest {
  readonly as: string;
  readonly container: Container;
  readonly block_id: string;
  readonly action_id: string;
  /** What was chosen, by the element's type, as Slack's block_actions says it: `selected_option`, `selected_options`, `selected_date`, `value` … */
  readonly chosen?: Readonly<Record<string, unknown>>;
  /** The state of the inputs around it, by block_id and action_id, as Slack's view.state.values says it. */
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
  /** What has been typed so far. */
  readonly value: string;
}

export interface SubmitRequest {
  readonly as: string;
  readonly view_id: string;
  /** Inputs left out keep what they hold. */
  readonly values: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/**
 * `invalid_input`: Slack's client would not send the form, see `errors`. `trouble_connecting`: the app was late or
 * answered what Slack does not understand; the modal stays open.
 */
export interface SubmitResult {
  readonly ok: boolean;
  readonly error?: string;
  /** For `trouble_connecting`: what exactly. */
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

/** What the workspace enforces beyond Slack's fixed limits, and the faults it plays. All may be changed while it runs. */
export interface Rules {
  /** conversations.history calls a minute; Slack gives distributed, unlisted apps 1. 0: no limit but the usual. */
  historyPerMinute: number;
  /**
   * Slack's reference leaves open which page comes first when only `oldest` is given: the newest messages (as here
   * unless switched on), or those next to `oldest`. An app must find its message either way.
   */
  historyFromOldest: boolean;
  /** How long after it was posted a message shows in conversations.history and conversations.replies. */
  historyLagMs: number;
  /**
   * What chat.postMessage makes of `client_msg_id`, of which Slack documents two errors and nothing else. `known`: of an id
   * that came before, the first message is the answer where it can still be read, else duplicate_message_not_found.
   * `refused`: invalid_arguments. `ignored`: nothing.
   */
  clientMsgIds: 'known' | 'refused' | 'ignored';
  /** chat.postMessage: one a second and channel, with a short burst allowed, as Slack does. 0: no limit. */
  postsPerSecond: number;
  /** Fixed at 3,000 unless a test wants less patience. */
  acknowledgeMs: number;
  triggerMs: number;
  /** Slack's tiers (20, 50 or 100 calls a minute and method) for everything else. */
  methodTiers: boolean;
  /** How long after its upload a file of the app's has no type yet and is no picture for a block. 0: none. */
  fileProcessingMs: number;
  /** How long before an event that the app did not take is sent again. Slack waits 0, 60,000 and 300,000. */
  eventRetryMs: readonly number[];
  /**
   * The next calls of a method (`response_url` for posts to one): answered this way instead. `die`: the work is done,
   * the connection breaks before the answer. `timeout`: no answer ever comes and no work is done. `retryAfter`: seconds.
   * `slow`: it is worked on `delayMs` later. `refused`: Slack's own word `error`, with the scope it `needed` where it names one.
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
