/** The sample account's people, devices, questions and services. Ids are assigned when they are stored. */
import type { Condition, Method } from '../operations/service-row.js';

export const users = [
  { username: 'harbour-owner', owner: true, deviceLimit: null },
  { username: 'mara.gate', owner: false, deviceLimit: 2 },
  { username: 'jonas.gate', owner: false, deviceLimit: 2 },
  { username: 'li.stockroom', owner: false, deviceLimit: null },
  { username: 'sam.toolcrib', owner: false, deviceLimit: 1 },
  { username: 'ana@harbour-lights.example', owner: false, deviceLimit: null },
] as const;

export const devices = [
  { name: 'Gate A phone', udid: 'a3f1c09e7d2b4c5f8e6a1b2c3d4e5f60a1b2c3d4' },
  { name: 'Gate B phone', udid: 'b77e0d1c2b3a49586776859403f2e1d0c9b8a796' },
  { name: 'Mara’s tablet <VIP & press>', udid: 'c0ffee1122334455667788990011223344556677' },
  { name: 'Stock room TC52', udid: 'd41d8cd98f00b204e9800998ecf8427e5ca7de5c' },
  { name: 'Tool crib iPad', udid: 'e2fc714c4727ee9395f324cd2e7f331f1c2d3e4f' },
  { name: 'Spare Android', udid: 'f1d2d2f924e986ac86fdf7b36c94bcdf32beec15' },
] as const;

export const questions = [
  { text: 'Wristband handed out?', type: 'option', answers: ['Yes', 'No', 'Had one already'] },
  { text: 'How many are left?', type: 'manualnumeric', answers: [] },
  { text: 'Condition', type: 'dropdown', answers: ['Good', 'Worn', 'Broken'] },
  { text: 'Notes', type: 'manual', answers: [] },
  { text: 'What did you bring along?', type: 'checkbox', answers: ['Charger', 'Case', 'Manual'] },
] as const;

/** A sample service. Indexes point into the lists above and into the sample databases. */
export interface SampleService {
  readonly name: string;
  readonly method: Method;
  readonly database?: number;
  readonly settings: Readonly<Record<string, string>>;
  readonly users: readonly number[];
  readonly questions: readonly { readonly question: number; readonly condition: Condition }[];
}

/** Nothing listens at this URL: a placeholder for a URL still to be entered. */
export const unsetUrl = 'http://127.0.0.1:9/enter-the-relay-url-here';

export const services: readonly SampleService[] = [
  {
    name: 'Gate A: tickets',
    method: 'database',
    database: 0,
    settings: { description: 'Main entrance. A ticket is good once.', duplicate_value: '0', enableGPS: '1' },
    users: [0, 1, 5],
    questions: [{ question: 0, condition: 'valid_scan' }],
  },
  {
    name: 'Gate B: tickets, offline',
    method: 'ondevicedatabase',
    database: 0,
    settings: { description: 'Pier entrance, where there is no signal.', duplicate_value: '0' },
    users: [0, 2],
    questions: [],
  },
  {
    name: 'Stock count',
    method: 'record',
    settings: { description: 'Counts what is on the shelf.' },
    users: [0, 3],
    questions: [
      { question: 1, condition: 'pre_submit' },
      { question: 3, condition: 'pre_submit' },
    ],
  },
  {
    name: 'Stock lookup',
    method: 'database',
    database: 1,
    settings: { duplicate_value: '1' },
    users: [0, 3, 5],
    questions: [],
  },
  {
    name: 'Tool crib: return',
    method: 'database',
    database: 2,
    settings: { duplicate_value: '1', description: 'Every tool that comes back.' },
    users: [0, 4],
    questions: [
      { question: 2, condition: 'pre_submit' },
      { question: 4, condition: 'pre_submit' },
    ],
  },
  {
    name: 'VIP lounge',
    method: 'postback',
    settings: { postback_url: unsetUrl, description: 'Your server decides who comes in.' },
    users: [0, 1, 2],
    questions: [{ question: 3, condition: 'pre_submit' }],
  },
  {
    name: 'Backstage, direct',
    method: 'postback',
    settings: {
      postback_url: unsetUrl,
      enable_direct_scan: '1',
      enableGPS: '1',
      description: 'From the device straight to your server.',
    },
    users: [0, 1, 2],
    questions: [],
  },
];
