/** The records in the workspace's file; published Homes and open modals are the records of `views.ts`. */

export interface TeamRecord {
  readonly id: string;
  readonly name: string;
  readonly domain: string;
  /** The app's user id in this team; its bot id follows. */
  readonly bot_user: string;
  readonly bot_id: string;
}

/** A workflow that starts from a webhook. */
export interface WorkflowRecord {
  readonly team: string;
  readonly name: string;
  /** The variables that the workflow's trigger declares. */
  readonly variables: readonly string[];
  /** The channel in which the workflow's step posts its variables. */
  readonly channel: string;
}

/** An Enterprise Grid organization; every team here is one of its workspaces. */
export interface Organisation {
  /** The organization's id: `E…` */
  readonly id: string;
  readonly name: string;
}

export interface PersonRecord {
  readonly id: string;
  /** The team in whose channels this person appears. */
  readonly team: string;
  readonly name: string;
  readonly real_name: string;
  readonly is_admin: boolean;
  readonly is_owner: boolean;
  readonly is_bot: boolean;
  readonly is_restricted: boolean;
  readonly is_ultra_restricted: boolean;
  /** The id of the person's own team, which for an external person is another than `team`. */
  readonly home_team: string;
  readonly tz: string;
  readonly color: string;
  /** Whether the person is deactivated: still listed, but can do nothing. */
  readonly deleted?: boolean;
}

export interface ChannelRecord {
  readonly id: string;
  readonly team: string;
  readonly name: string;
  readonly creator: string;
  /** When the channel was created, in Unix seconds. */
  readonly created: number;
  readonly is_private: boolean;
  readonly is_im: boolean;
  readonly is_ext_shared: boolean;
  readonly is_archived: boolean;
  readonly is_general: boolean;
  readonly topic: string;
  /** The person in the app's direct message channel. */
  readonly im_with?: string;
}

/** A public channel, unless `givenFields` says otherwise. */
export function channelRecord(
  givenFields: Pick<ChannelRecord, 'id' | 'team' | 'name' | 'creator' | 'created'> & Partial<ChannelRecord>,
): ChannelRecord {
  return {
    is_private: false,
    is_im: false,
    is_ext_shared: false,
    is_archived: false,
    is_general: false,
    topic: '',
    ...givenFields,
  };
}

export interface Metadata {
  readonly event_type: string;
  readonly event_payload: Readonly<Record<string, unknown>>;
}

export interface MessageRecord {
  readonly channel: string;
  readonly ts: string;
  readonly thread_ts?: string;
  /** Set for a reply that the channel shows too. */
  readonly subtype?: 'thread_broadcast';
  readonly ephemeral_for?: string;
  readonly user: string;
  /** Whether the app posted the message. */
  readonly by_app: boolean;
  readonly text: string;
  readonly blocks?: readonly Block[];
  readonly attachments?: readonly unknown[];
  readonly metadata?: Metadata;
  readonly client_msg_id?: string;
  readonly edited?: { readonly user: string; readonly ts: string };
  readonly files?: readonly string[];
  /** The app's name for an in_channel response, a workflow's name for its message. */
  readonly from_app?: string;
  readonly unfurl_links?: boolean;
  readonly unfurl_media?: boolean;
  readonly reactions?: readonly { readonly name: string; readonly users: readonly string[] }[];
  readonly pinned?: boolean;
}

/** A validated block; its content depends on its type. */
export interface Block {
  readonly type: string;
  readonly block_id: string;
  readonly [field: string]: unknown;
}

export interface InstallRecord {
  readonly token_hash: string;
  /** The team's id; the organization's for an org-wide install. */
  readonly team: string;
  readonly scopes: readonly string[];
  readonly state: 'live' | 'revoked' | 'uninstalled';
  /** When the app was installed, in Unix milliseconds. */
  readonly installed_at: number;
}

export interface FileRecord {
  readonly id: string;
  readonly team: string;
  readonly user: string;
  readonly name: string;
  readonly title: string;
  readonly mimetype: string;
  readonly filetype: string;
  readonly size: number;
  /** When the file was uploaded, in Unix seconds. */
  readonly created: number;
  /** Channels the file was shared to. */
  readonly channels: readonly string[];
  /** The announced length of an upload that has not arrived yet. */
  readonly expected?: number;
  readonly complete: boolean;
  /** Whether the file's content is gone; messages with the file say so. */
  readonly deleted?: boolean;
  /** Until when Slack is processing the file, in Unix milliseconds. */
  readonly processing_until?: number;
}

export interface GroupRecord {
  readonly id: string;
  readonly team: string;
  readonly handle: string;
  readonly name: string;
  readonly users: readonly string[];
}
