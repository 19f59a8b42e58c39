/**
 * The table of the account's error codes: plain text, what to do, and who can act. A code that is not in it keeps the
 * service's own text and counts as permanent.
 */

/**
 * - `key`: the API key or the account's plan does not allow it.
 * - `quota`: no calls are left.
 * - `input`: a value is not acceptable; `variables` may hold it.
 * - `passing`: the same call may work later.
 * - `permanent`: the same call will not work, and no parameter is to blame.
 */
export type CodeKind = 'key' | 'quota' | 'input' | 'passing' | 'permanent';

/** `asker`: the person who asked can fix it; `admin`: the account's administrator can; `wait`: nobody, it passes. */
export type Mover = 'asker' | 'admin' | 'operator' | 'wait';

export interface CodeMeaning {
  readonly code: string;
  /** What happened, as a sentence without its full stop. */
  readonly title: string;
  /** What to do, one sentence. */
  readonly todo: string;
  readonly mover: Mover;
  readonly kind: CodeKind;
  /** The parameters it may be about, the likeliest first. */
  readonly variables: readonly string[];
}

function asker(title: string, todo: string, ...variables: string[]): Omit<CodeMeaning, 'code'> {
  return { title, todo, mover: 'asker', kind: 'input', variables };
}

function other(kind: CodeKind, mover: Mover, title: string, todo: string): Omit<CodeMeaning, 'code'> {
  return { title, todo, mover, kind, variables: [] };
}

const refresh = 'It may have been deleted. Open the list again and choose another.';

const table: Readonly<Record<string, Omit<CodeMeaning, 'code'>>> = {
  '2': other('passing', 'wait', 'The account couldn’t do this right now', 'Try again in a minute.'),
  '10': other(
    'key',
    'admin',
    'The account doesn’t allow this',
    'Ask an admin whether the account’s plan and API key include it.',
  ),
  '50': asker('A required field is missing', 'Fill in the required fields.'),
  '100': other(
    'key',
    'admin',
    'The account doesn’t recognize the API key',
    'An admin can enter the key again with /scandesk connect.',
  ),
  '101': other('key', 'admin', 'The API key was missing', 'An admin can enter the key again with /scandesk connect.'),
  '102': other('permanent', 'operator', 'The request is over 1 MB', 'Send less at a time.'),
  '103': other(
    'permanent',
    'operator',
    'The account couldn’t read the request',
    'Send the reference to your Scandesk administrator.',
  ),
  '104': asker('The file is missing', 'Choose the file again.', 'csvfile', 'logo'),
  '105': asker('The file is too large', 'Choose a smaller file, or split it.', 'csvfile', 'logo'),
  '110': other(
    'permanent',
    'operator',
    'The account doesn’t recognize this action',
    'Send the reference to your Scandesk administrator.',
  ),
  '111': other('quota', 'wait', 'There are no API calls left this minute', 'Try again in a minute.'),
  '113': other(
    'quota',
    'wait',
    'There are no API calls left today',
    'Try again after midnight, or upgrade the account’s plan.',
  ),
  '120': other(
    'permanent',
    'operator',
    'The account doesn’t recognize this section',
    'Send the reference to your Scandesk administrator.',
  ),
  '131': asker('No service was selected', 'Choose a service.', 'service_id'),
  '132': asker('No user was selected', 'Choose a user.', 'user_id'),
  '133': asker('No question was selected', 'Choose a question.', 'question_id'),
  '134': asker('No answer was selected', 'Choose an answer.', 'answer_id'),
  '135': asker('No scan was selected', 'Choose a scan.', 'scan_id'),
  '200': asker('This service doesn’t exist', refresh, 'service_id'),
  '201': asker('This user doesn’t exist', refresh, 'user_id', 'username'),
  '202': asker('This question doesn’t exist', refresh, 'question_id', 'required'),
  '203': asker('This answer doesn’t exist', refresh, 'answer_id'),
  '204': asker('This database doesn’t exist', refresh, 'database_id'),
  '205': asker(
    'A service still uses this database',
    'Give that service another database or delete the service. Then delete the database.',
    'database_id',
  ),
  '206': asker('A question needs at least two answers', 'Add another answer first.', 'answer_id', 'question_id'),
  '210': asker(
    'This type of service needs another setting',
    'Fill in the settings that its validation method requires.',
    'validation_method',
    'postback_url',
    'description',
  ),
  '211': asker('This type of service needs a database', 'Choose a database.', 'database_id'),
  '213': asker('The end is before the start', 'Choose a later end or an earlier start.', 'period_end_date', 'end_date'),
  '214': asker('The end has already passed', 'Choose an end in the future.', 'period_end_date'),
  '215': asker('Another service already has this name', 'Choose another name.', 'service_name'),
  '216': asker('Another database already has this name', 'Choose another name.', 'database_name'),
  '217': asker('The start date is missing', 'Choose a start date.', 'period_start_date', 'start_date'),
  '218': asker('The end date is missing', 'Choose an end date.', 'period_end_date', 'end_date'),
  '219': asker('The account doesn’t accept this service name', 'Choose another name.', 'service_name'),
  '221': asker(
    'The URL must start with http:// or https://',
    'Enter the full URL.',
    'postback_url',
    'direct_history_url',
    'direct_lookup_url',
    'auto_sync_up_url',
  ),
  '222': asker(
    'The URL must start with http:// or https://',
    'Enter the full URL.',
    'postback_url',
    'direct_lookup_url',
    'direct_history_url',
    'auto_sync_up_url',
  ),
  '223': asker(
    'Direct scan to URL is only for services that post to a URL',
    'Choose “Post to a URL” as the validation method, or turn off direct scan.',
    'enable_direct_scan',
  ),
  '224': asker(
    'A pattern requires a replacement',
    'Fill in both, or leave both blank.',
    'regex_scan_pattern',
    'regex_response_pattern',
  ),
  '225': asker(
    'This setting isn’t available for services that post to a URL',
    'Leave it blank, or choose another validation method.',
    'postback_receiver_only',
    'postback_real_time_scans',
    'postback_uploaded_scans',
  ),
  '226': asker('Postback settings require a postback URL', 'Fill in the postback URL.', 'postback_url'),
  '261': asker('The question wasn’t deleted', 'Check whether a service still uses it, then try again.', 'question_id'),
  '262': asker('This isn’t a question ID', refresh, 'question_id'),
  '265': asker(
    'The answer wasn’t added',
    'Check whether the question’s type has answers to choose from.',
    'answer_text',
  ),
  '266': asker('The answer wasn’t deleted', 'Open the question again. The answer may already be deleted.', 'answer_id'),
  '269': asker('The question is missing', 'Enter or choose a question.', 'question_text', 'question_id'),
  '270': asker('This isn’t a database ID', refresh, 'database_id'),
  '300': asker('This isn’t a user ID', refresh, 'user_id'),
  '310': asker('A user setting is missing', 'Fill in the settings you want to change.', 'username'),
  '320': asker('Another user already has this username', 'Choose another username.', 'username'),
  '330': asker('This isn’t an email address', 'Enter an address such as name@example.com.', 'username', 'upload_email'),
  '340': asker('The account doesn’t accept this username', 'Choose another username.', 'username'),
  '341': asker('The password is missing', 'Enter a password.', 'password'),
  '342': asker('The username is missing', 'Enter a username.', 'username'),
  '343': asker('This user is the account owner', 'Only the owner can change it, on the account’s website.', 'user_id'),
  '410': asker('A device setting is missing', 'Choose a device and enter a name.', 'device_name', 'device_id'),
  '804': asker('The scan wasn’t deleted', 'Search again. It may already be deleted.', 'scan_id'),
  '1017': asker('This value isn’t in the database', 'Look up the barcode again. It may have been deleted.', 'value'),
  '1019': asker('The upload failed', 'Try again. If it fails again, check that the file is a CSV file.', 'csvfile'),
  '1026': asker('This isn’t a CSV file', 'Choose a file with a name that ends in .csv.', 'csvfile'),
  '1027': asker('This value is already in the database', 'Edit the value instead of adding it.', 'value'),
  '1028': asker('The barcode value is missing', 'Enter the barcode.', 'value', 'values'),
  '1029': asker('The CSV file is missing', 'Choose a CSV file.', 'csvfile'),
  '1036': asker('The question already has this answer', 'Enter another answer.', 'answer_text'),
};

export const codes: ReadonlyMap<string, CodeMeaning> = new Map(
  Object.entries(table).map(([code, meaning]) => [code, { code, ...meaning }]),
);

/** What a code means; a general meaning for an unknown one, so that a user always gets an answer. */
export function meaningOf(code: string): CodeMeaning {
  return (
    codes.get(code) ?? {
      code,
      title: 'The account refused this',
      todo: 'Read the account’s message. If that doesn’t help, ask your account administrator.',
      mover: 'admin',
      kind: 'permanent',
      variables: [],
    }
  );
}
