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

const refresh = 'It may have been deleted: open the list again and pick another.';

const table: Readonly<Record<string, Omit<CodeMeaning, 'code'>>> = {
  '2': other('passing', 'wait', 'The account could not do it just now', 'Try again in a minute.'),
  '10': other(
    'key',
    'admin',
    'The account does not permit this',
    'Ask an admin whether the account’s plan and its API key allow it.',
  ),
  '50': asker('Something required is missing', 'Fill in what is marked as required.'),
  '100': other(
    'key',
    'admin',
    'The account does not know the API key',
    'An admin can enter the key again with /scandesk connect.',
  ),
  '101': other('key', 'admin', 'The API key was missing', 'An admin can enter the key again with /scandesk connect.'),
  '102': other('permanent', 'operator', 'What was sent is over 1 MB', 'Send less at a time.'),
  '103': other(
    'permanent',
    'operator',
    'The account could not read what was sent',
    'Tell whoever runs Scandesk, with the reference.',
  ),
  '104': asker('No file arrived', 'Choose the file again.', 'csvfile', 'logo'),
  '105': asker('The file is too large', 'Choose a smaller file, or split it.', 'csvfile', 'logo'),
  '110': other(
    'permanent',
    'operator',
    'The account does not know this action',
    'Tell whoever runs Scandesk, with the reference.',
  ),
  '111': other('quota', 'wait', 'The calls of this minute are used up', 'Try again when the next minute begins.'),
  '113': other(
    'quota',
    'wait',
    'The calls of this day are used up',
    'Try again after midnight, or ask for a larger plan.',
  ),
  '120': other(
    'permanent',
    'operator',
    'The account does not know this section',
    'Tell whoever runs Scandesk, with the reference.',
  ),
  '131': asker('No service was named', 'Choose a service.', 'service_id'),
  '132': asker('No user was named', 'Choose a user.', 'user_id'),
  '133': asker('No question was named', 'Choose a question.', 'question_id'),
  '134': asker('No answer was named', 'Choose an answer.', 'answer_id'),
  '135': asker('No scan was named', 'Choose a scan.', 'scan_id'),
  '200': asker('The account has no such service', refresh, 'service_id'),
  '201': asker('The account has no such user', refresh, 'user_id', 'username'),
  '202': asker('The account has no such question', refresh, 'question_id', 'required'),
  '203': asker('The account has no such answer', refresh, 'answer_id'),
  '204': asker('The account has no such database', refresh, 'database_id'),
  '205': asker(
    'A service still uses this database',
    'Give that service another database or delete it, then delete the database.',
    'database_id',
  ),
  '206': asker('A question needs two answers at least', 'Add another answer first.', 'answer_id', 'question_id'),
  '210': asker(
    'Something this kind of service needs is missing',
    'Fill in what its validation method asks for.',
    'validation_method',
    'postback_url',
    'description',
  ),
  '211': asker('This kind of service needs a database', 'Choose a database.', 'database_id'),
  '213': asker(
    'The end lies before the start',
    'Choose a later end or an earlier start.',
    'period_end_date',
    'end_date',
  ),
  '214': asker('The end has already passed', 'Choose an end that lies ahead.', 'period_end_date'),
  '215': asker('Another service has this name', 'Choose another name.', 'service_name'),
  '216': asker('Another database has this name', 'Choose another name.', 'database_name'),
  '217': asker('The start date is missing', 'Choose a start date.', 'period_start_date', 'start_date'),
  '218': asker('The end date is missing', 'Choose an end date.', 'period_end_date', 'end_date'),
  '219': asker('The account does not take this name for a service', 'Choose another name.', 'service_name'),
  '221': asker(
    'A URL must begin with http:// or https://',
    'Write the whole address.',
    'postback_url',
    'direct_history_url',
    'direct_lookup_url',
    'auto_sync_up_url',
  ),
  '222': asker(
    'A URL must begin with http:// or https://',
    'Write the whole address.',
    'postback_url',
    'direct_lookup_url',
    'direct_history_url',
    'auto_sync_up_url',
  ),
  '223': asker(
    'Direct scan to URL is for services that ask a URL',
    'Choose “Ask a URL” as validation method, or turn direct scan off.',
    'enable_direct_scan',
  ),
  '224': asker(
    'A pattern and its replacement go together',
    'Fill in both, or leave both out.',
    'regex_scan_pattern',
    'regex_response_pattern',
  ),
  '225': asker(
    'This setting is not for services that ask a URL',
    'Leave it out, or choose another validation method.',
    'postback_receiver_only',
    'postback_real_time_scans',
    'postback_uploaded_scans',
  ),
  '226': asker('Postback settings need a postback URL', 'Fill in the postback URL.', 'postback_url'),
  '261': asker('The question was not deleted', 'See whether a service still asks it, then try again.', 'question_id'),
  '262': asker('This is not the id of a question', refresh, 'question_id'),
  '265': asker('The answer was not added', 'See whether the question takes answers to choose from.', 'answer_text'),
  '266': asker('The answer was not deleted', 'Open the question again: it may be gone already.', 'answer_id'),
  '269': asker('The question is missing', 'Write or choose a question.', 'question_text', 'question_id'),
  '270': asker('This is not the id of a database', refresh, 'database_id'),
  '300': asker('This is not the id of a user', refresh, 'user_id'),
  '310': asker('Something a user needs is missing', 'Fill in what is to be set.', 'username'),
  '320': asker('Another user has this name', 'Choose another user name.', 'username'),
  '330': asker('This is not an e-mail address', 'Write it as name@example.com.', 'username', 'upload_email'),
  '340': asker('The account does not take this user name', 'Choose another user name.', 'username'),
  '341': asker('The password is missing', 'Fill in a password.', 'password'),
  '342': asker('The user name is missing', 'Fill in a user name.', 'username'),
  '343': asker(
    'This is the account owner’s own user',
    'It can only be changed by the owner, on the account’s web site.',
    'user_id',
  ),
  '410': asker(
    'Something a device needs is missing',
    'Choose a device and give it a name.',
    'device_name',
    'device_id',
  ),
  '804': asker('The scan was not deleted', 'Search again: it may be gone already.', 'scan_id'),
  '1017': asker('The database has no such value', 'Look the barcode up again: it may be gone.', 'value'),
  '1019': asker('The upload failed', 'Try again; if it fails again, see whether the file is a CSV file.', 'csvfile'),
  '1026': asker('This is not a CSV file', 'Choose a file whose name ends in .csv.', 'csvfile'),
  '1027': asker('The value is in the database already', 'Change the value instead of adding it.', 'value'),
  '1028': asker('The barcode value is missing', 'Fill in the barcode.', 'value', 'values'),
  '1029': asker('The CSV file is missing', 'Choose a CSV file.', 'csvfile'),
  '1036': asker('The question has this answer already', 'Write another answer.', 'answer_text'),
};

export const codes: ReadonlyMap<string, CodeMeaning> = new Map(
  Object.entries(table).map(([code, meaning]) => [code, { code, ...meaning }]),
);

/** What a code means; a general meaning for an unknown one, so that a user always gets an answer. */
export function meaningOf(code: string): CodeMeaning {
  return (
    codes.get(code) ?? {
      code,
      title: 'The account refused',
      todo: 'Read what the account says; if that does not help, ask whoever looks after the account.',
      mover: 'admin',
      kind: 'permanent',
      variables: [],
    }
  );
}
