/**
 * The account's error table, with the sandbox's text for each code. A handler throws a `Refusal`; the answer is
 * `<status>0</status><error code=…>` with HTTP 200 (docs/account-api.md#an-answer).
 */
import { ScandeskError } from '../../../errors.js';

export const refusalTexts = {
  '2': 'The request could not be processed at this time.',
  '10': 'No permission for this action.',
  '50': 'A required variable was not supplied, or one does not fit.',
  '100': 'The API key is invalid.',
  '101': 'The API key is missing.',
  '102': 'The XML file is too large. The maximum is 1 MB.',
  '103': 'The XML contains errors and cannot be read.',
  '104': 'No file has been received.',
  '105': 'The file is larger than allowed.',
  '110': 'Invalid action parameter.',
  '111':
    'The API calls permitted during the current minute are used up. The counter is reset at the beginning of every minute.',
  '113': 'The API calls permitted during the current day are used up. The counter is reset every midnight.',
  '120': 'Invalid section parameter.',
  '131': 'Missing required variable: service_id',
  '132': 'Missing required variable: user_id',
  '133': 'Missing required variable: question_id',
  '134': 'Missing required variable: answer_id',
  '135': 'Missing required variable: scan_id',
  '200': 'The service does not exist.',
  '201': 'The user does not exist.',
  '202': 'The question does not exist.',
  '203': 'The answer does not exist.',
  '204': 'The database does not exist.',
  '205': 'The database is linked to one or more services. Unlink them from the database and try again.',
  '206': 'The answer cannot be deleted: the question must keep at least two answers to choose from.',
  '210': 'Required service variables were not supplied.',
  '211': 'For database services, select the database to be used with the service.',
  '213': 'Select an end date that is after the start date.',
  '214': 'The end date must be in the future.',
  '215': 'A service with that name already exists.',
  '216': 'A database with that name already exists.',
  '217': 'Specify a start date.',
  '218': 'Specify an end date.',
  '219': 'The service name is invalid.',
  '221': 'Enter a valid postback URL, starting with http:// or https://.',
  '222': 'The URL is not valid. It must start with http:// or https://.',
  '223': 'Direct scanning can only be configured when a postback service is created.',
  '224': 'A regular expression pattern and its replacement must be set together.',
  '225':
    'postback_receiver_only, postback_real_time_scans and postback_uploaded_scans do not go with a service of type postback.',
  '226': 'Postback handling cannot be configured without a postback_url.',
  '261': 'The question could not be deleted.',
  '262': 'Invalid question ID.',
  '265': 'The answer could not be added.',
  '266': 'The answer could not be deleted.',
  '269': 'Supply a question.',
  '270': 'Invalid database ID.',
  '300': 'Invalid user ID.',
  '310': 'Required user variables were not supplied.',
  '320': 'The username is already taken. Choose a different one.',
  '330': 'Enter a valid e-mail address.',
  '340': 'Invalid username. Leave out spaces, or use fewer punctuation marks.',
  '341': 'Enter a password.',
  '342': 'Enter a username.',
  '343': "The account owner's own user cannot be updated or deleted this way.",
  '410': 'Required device variables were not supplied.',
  '804': 'The scan could not be deleted.',
  '1017': 'The barcode value does not exist.',
  '1019': 'An error occurred during the file upload.',
  '1026': 'Select a .CSV file to import.',
  '1027': 'The barcode value already exists within this database.',
  '1028': 'Supply a barcode value.',
  '1029': 'Supply a CSV file to upload.',
  '1036': 'Some of the answers match. Supply answers that differ.',
} as const;

export type RefusalCode = keyof typeof refusalTexts;

export class Refusal extends ScandeskError {
  readonly apiCode: RefusalCode;
  /** The text in the answer. It never contains an API key, a password or a stack. */
  readonly text: string;

  /** @param detail text added to the table's: the variable or line that is wrong */
  constructor(apiCode: RefusalCode, detail?: string) {
    const text = detail ? `${refusalTexts[apiCode]} ${detail}` : refusalTexts[apiCode];
    super('sandbox.account.refusal', `${apiCode} ${text}`);
    this.apiCode = apiCode;
    this.text = text;
  }
}
