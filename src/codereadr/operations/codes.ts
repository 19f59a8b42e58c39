/**
 * The table of the account's error codes: plain text and what to do. For any other code, people are told to read the
 * service's own text.
 */

export interface CodeMeaning {
  readonly code: string;
  /** The code's meaning, as a sentence without its full stop. */
  readonly title: string;
  /** The remedy, one sentence. */
  readonly todo: string;
  /** The parameters that the code may be about, the likeliest first; none where no parameter is to blame. */
  readonly params: readonly string[];
}

/** The code of showvalues for a missing value, unless its answer is an empty list: the reference does not say which. */
export const noSuchValue = '1017';

/** Codes with which the service refuses the API key itself, or a call that the key may not make. */
export const keyCodes: ReadonlySet<string> = new Set(['10', '100', '101']);

function meaning(title: string, todo: string, ...params: string[]): Omit<CodeMeaning, 'code'> {
  return { title, todo, params };
}

const refresh = 'It may have been deleted. Open the list again and choose another.';

const meaningsByCode: Readonly<Record<string, Omit<CodeMeaning, 'code'>>> = {
  '2': meaning('The account couldn’t do this right now', 'Try again in a minute.'),
  '10': meaning(
    'The account’s plan doesn’t allow this',
    'Only paid plans include the API, and some include more than others. An admin can check the account’s plan.',
  ),
  '50': meaning('A required field is missing', 'Fill in the required fields.'),
  '100': meaning(
    'The account doesn’t recognize the API key',
    'An admin can enter the key again with /scandesk connect.',
  ),
  '101': meaning('The API key was missing', 'An admin can enter the key again with /scandesk connect.'),
  '102': meaning('The request is over 1 MB', 'Send less at a time.'),
  '103': meaning('The account couldn’t read the request', 'Send the reference to your Scandesk administrator.'),
  '104': meaning('The file is missing', 'Choose the file again.', 'csvfile', 'logo'),
  '105': meaning('The file is too large', 'Choose a smaller file, or split it.', 'csvfile', 'logo'),
  '110': meaning('The account doesn’t recognize this action', 'Send the reference to your Scandesk administrator.'),
  '111': meaning('There are no API calls left this minute', 'Try again in a minute.'),
  '113': meaning('There are no API calls left today', 'Try again after midnight, or upgrade the account’s plan.'),
  '120': meaning('The account doesn’t recognize this section', 'Send the reference to your Scandesk administrator.'),
  '131': meaning('No service was selected', 'Choose a service.', 'service_id'),
  '132': meaning('No user was selected', 'Choose a user.', 'user_id'),
  '133': meaning('No question was selected', 'Choose a question.', 'question_id'),
  '134': meaning('No answer was selected', 'Choose an answer.', 'answer_id'),
  '135': meaning('No scan was selected', 'Choose a scan.', 'scan_id'),
  '200': meaning('This service doesn’t exist', refresh, 'service_id'),
  '201': meaning('This user doesn’t exist', refresh, 'user_id', 'username'),
  '202': meaning('This question doesn’t exist', refresh, 'question_id', 'required'),
  '203': meaning('This answer doesn’t exist', refresh, 'answer_id'),
  '204': meaning('This database doesn’t exist', refresh, 'database_id'),
  '205': meaning(
    'A service still uses this database',
    'Give that service another database or delete the service. Then delete the database.',
    'database_id',
  ),
  '206': meaning('A question needs at least two answers', 'Add another answer first.', 'answer_id', 'question_id'),
  '210': meaning(
    'This type of service needs another setting',
    'Fill in the settings that its validation method requires.',
    'validation_method',
    'postback_url',
    'description',
  ),
  '211': meaning('This type of service needs a database', 'Choose a database.', 'database_id'),
  '213': meaning(
    'The end is before the start',
    'Choose a later end or an earlier start.',
    'period_end_date',
    'end_date',
  ),
  '214': meaning('The end has already passed', 'Choose an end in the future.', 'period_end_date'),
  '215': meaning('Another service already has this name', 'Choose another name.', 'service_name'),
  '216': meaning('Another database already has this name', 'Choose another name.', 'database_name'),
  '217': meaning('The start date is missing', 'Choose a start date.', 'period_start_date', 'start_date'),
  '218': meaning('The end date is missing', 'Choose an end date.', 'period_end_date', 'end_date'),
  '219': meaning('The account doesn’t accept this service name', 'Choose another name.', 'service_name'),
  '221': meaning(
    'The URL must start with http:// or https://',
    'Enter the full URL.',
    'postback_url',
    'direct_history_url',
    'direct_lookup_url',
    'auto_sync_up_url',
  ),
  '222': meaning(
    'The URL must start with http:// or https://',
    'Enter the full URL.',
    'postback_url',
    'direct_lookup_url',
    'direct_history_url',
    'auto_sync_up_url',
  ),
  '223': meaning(
    'Direct scan to URL is only for services that post to a URL',
    'Choose “Post to a URL” as the validation method, or turn off direct scan.',
    'enable_direct_scan',
  ),
  '224': meaning(
    'A pattern requires a replacement',
    'Fill in both, or leave both blank.',
    'regex_scan_pattern',
    'regex_response_pattern',
  ),
  '225': meaning(
    'This setting isn’t available for services that post to a URL',
    'Leave it blank, or choose another validation method.',
    'postback_receiver_only',
    'postback_real_time_scans',
    'postback_uploaded_scans',
  ),
  '226': meaning('Postback settings require a postback URL', 'Fill in the postback URL.', 'postback_url'),
  '261': meaning(
    'The question wasn’t deleted',
    'Check whether a service still uses it, then try again.',
    'question_id',
  ),
  '262': meaning('This isn’t a question ID', refresh, 'question_id'),
  '265': meaning(
    'The answer wasn’t added',
    'Check whether the question’s type has answers to choose from.',
    'answer_text',
  ),
  '266': meaning(
    'The answer wasn’t deleted',
    'Open the question again. The answer may already be deleted.',
    'answer_id',
  ),
  '269': meaning('The question is missing', 'Enter or choose a question.', 'question_text', 'question_id'),
  '270': meaning('This isn’t a database ID', refresh, 'database_id'),
  '300': meaning('This isn’t a user ID', refresh, 'user_id'),
  '310': meaning('A user setting is missing', 'Fill in the settings you want to change.', 'username'),
  '320': meaning('Another user already has this username', 'Choose another username.', 'username'),
  '330': meaning(
    'This isn’t an email address',
    'Enter an address such as name@example.com.',
    'username',
    'upload_email',
  ),
  '340': meaning('The account doesn’t accept this username', 'Choose another username.', 'username'),
  '341': meaning('The password is missing', 'Enter a password.', 'password'),
  '342': meaning('The username is missing', 'Enter a username.', 'username'),
  '343': meaning(
    'This user is the account owner',
    'Only the owner can change it, on the account’s website.',
    'user_id',
  ),
  '410': meaning('A device setting is missing', 'Choose a device and enter a name.', 'device_name', 'device_id'),
  '804': meaning('The scan wasn’t deleted', 'Search again. It may already be deleted.', 'scan_id'),
  '1017': meaning('This value isn’t in the database', 'Look up the barcode again. It may have been deleted.', 'value'),
  '1019': meaning('The upload failed', 'Try again. If it fails again, check that the file is a CSV file.', 'csvfile'),
  '1026': meaning('This isn’t a CSV file', 'Choose a file with a name that ends in .csv.', 'csvfile'),
  '1027': meaning('This value is already in the database', 'Edit the value instead of adding it.', 'value'),
  '1028': meaning('The barcode value is missing', 'Enter the barcode.', 'value', 'values'),
  '1029': meaning('The CSV file is missing', 'Choose a CSV file.', 'csvfile'),
  '1036': meaning('The question already has this answer', 'Enter another answer.', 'answer_text'),
};

export const codes: ReadonlyMap<string, CodeMeaning> = new Map(
  Object.entries(meaningsByCode).map(([code, found]) => [code, { code, ...found }]),
);

/** The meaning of a code; a general one for an unknown code, so that a user always gets an answer. */
export function meaningOf(code: string): CodeMeaning {
  return (
    codes.get(code) ?? {
      code,
      title: 'The account refused this',
      todo: 'Read the account’s message. If that doesn’t help, ask your account administrator.',
      params: [],
    }
  );
}
