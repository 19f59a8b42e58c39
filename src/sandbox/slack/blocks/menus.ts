/**
 * The single and multi-select menus and their limits.
 * Source: Slack's Block Kit reference, "Select menu element" and "Multi-select menu element".
 */
import { z } from 'zod';
import {
  choosable,
  conversationFilter,
  distinctValues,
  haveDistinctValues,
  isAmong,
  notAnOption,
  option,
  optionGroup,
  placeholder,
} from './composition.js';

const menu = { ...choosable, placeholder: placeholder.optional() };
const multiMenu = { ...menu, max_selected_items: z.number().int().min(1).optional() };
const personId = z.string().regex(/^[UW][A-Z0-9]+$/);
const conversationId = z.string().regex(/^[CDGUW][A-Z0-9]+$/);

const lists = {
  options: z.array(option).min(1).max(100).refine(haveDistinctValues, distinctValues).optional(),
  option_groups: z.array(optionGroup).min(1).max(100).optional(),
};
type Lists = { options?: z.output<typeof option>[]; option_groups?: z.output<typeof optionGroup>[] };
const optionsOf = (e: Lists) => e.options ?? (e.option_groups ?? []).flatMap((group) => group.options);
const oneList = (e: Lists) => (e.options === undefined) !== (e.option_groups === undefined);
const eitherList = 'must provide either options or option_groups';

const staticSelect = z
  .strictObject({ type: z.literal('static_select'), ...menu, ...lists, initial_option: option.optional() })
  .refine(oneList, eitherList)
  .refine((e) => e.initial_option === undefined || isAmong(optionsOf(e), e.initial_option), {
    message: notAnOption,
    path: ['initial_option'],
  });

const multiStaticSelect = z
  .strictObject({
    type: z.literal('multi_static_select'),
    ...multiMenu,
    ...lists,
    initial_options: z.array(option).min(1).max(100).optional(),
  })
  .refine(oneList, eitherList)
  .refine((e) => (e.initial_options ?? []).every((one) => isAmong(optionsOf(e), one)), {
    message: notAnOption,
    path: ['initial_options'],
  });

const minQueryLength = z.number().int().min(0).optional();

const externalSelect = z.strictObject({
  type: z.literal('external_select'),
  ...menu,
  initial_option: option.optional(),
  min_query_length: minQueryLength,
});
const multiExternalSelect = z.strictObject({
  type: z.literal('multi_external_select'),
  ...multiMenu,
  initial_options: z.array(option).min(1).max(100).optional(),
  min_query_length: minQueryLength,
});

const usersSelect = z.strictObject({ type: z.literal('users_select'), ...menu, initial_user: personId.optional() });
const multiUsersSelect = z.strictObject({
  type: z.literal('multi_users_select'),
  ...multiMenu,
  initial_users: z.array(personId).min(1).optional(),
});

const conversationFields = {
  default_to_current_conversation: z.boolean().optional(),
  filter: conversationFilter.optional(),
};
const conversationsSelect = z.strictObject({
  type: z.literal('conversations_select'),
  ...menu,
  ...conversationFields,
  initial_conversation: conversationId.optional(),
  response_url_enabled: z.boolean().optional(),
});
const multiConversationsSelect = z.strictObject({
  type: z.literal('multi_conversations_select'),
  ...multiMenu,
  ...conversationFields,
  initial_conversations: z.array(conversationId).min(1).optional(),
});
const channelsSelect = z.strictObject({
  type: z.literal('channels_select'),
  ...menu,
  initial_channel: conversationId.optional(),
  response_url_enabled: z.boolean().optional(),
});
const multiChannelsSelect = z.strictObject({
  type: z.literal('multi_channels_select'),
  ...multiMenu,
  initial_channels: z.array(conversationId).min(1).optional(),
});

export const menus = [
  staticSelect,
  externalSelect,
  usersSelect,
  conversationsSelect,
  channelsSelect,
  multiStaticSelect,
  multiExternalSelect,
  multiUsersSelect,
  multiConversationsSelect,
  multiChannelsSelect,
] as const;
