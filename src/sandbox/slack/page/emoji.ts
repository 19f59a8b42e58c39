/** The emoji of this workspace. An unknown name stays as typed, as in Slack. */

const table = `
white_check_mark ✅|heavy_check_mark ✔️|ballot_box_with_check ☑️|x ❌|negative_squared_cross_mark ❎|heavy_multiplication_x ✖️
warning ⚠️|no_entry ⛔|no_entry_sign 🚫|octagonal_sign 🛑|rotating_light 🚨|exclamation ❗|heavy_exclamation_mark ❗|question ❓|grey_question ❔
grey_exclamation ❕|bangbang ‼️|information_source ℹ️|bulb 💡|bell 🔔|no_bell 🔕|mute 🔇|loudspeaker 📢|mega 📣|speech_balloon 💬
hourglass ⌛|hourglass_flowing_sand ⏳|watch ⌚|alarm_clock ⏰|stopwatch ⏱️|timer_clock ⏲️|clock1 🕐|clock3 🕒|calendar 📆|date 📅|spiral_calendar_pad 🗓️
mag 🔍|mag_right 🔎|lock 🔒|unlock 🔓|closed_lock_with_key 🔐|key 🔑|link 🔗|paperclip 📎|pushpin 📌|round_pushpin 📍|world_map 🗺️
label 🏷️|ticket 🎫|admission_tickets 🎟️|package 📦|inbox_tray 📥|outbox_tray 📤|incoming_envelope 📨|envelope ✉️|email 📧
clipboard 📋|memo 📝|pencil 📝|pencil2 ✏️|page_facing_up 📄|bookmark_tabs 📑|card_index 📇|card_file_box 🗃️|file_folder 📁|open_file_folder 📂
bar_chart 📊|chart_with_upwards_trend 📈|chart_with_downwards_trend 📉|iphone 📱|telephone_receiver 📞|computer 💻|camera 📷|electric_plug 🔌|battery 🔋|satellite_antenna 📡
gear ⚙️|wrench 🔧|hammer 🔨|hammer_and_wrench 🛠️|toolbox 🧰|nut_and_bolt 🔩|wastebasket 🗑️|broom 🧹|recycle ♻️|arrows_counterclockwise 🔄|repeat 🔁
arrow_right ➡️|arrow_left ⬅️|arrow_up ⬆️|arrow_down ⬇️|leftwards_arrow_with_hook ↩️|arrow_forward ▶️|double_vertical_bar ⏸️|black_square_for_stop ⏹️|zzz 💤
red_circle 🔴|large_green_circle 🟢|large_yellow_circle 🟡|large_orange_circle 🟠|large_blue_circle 🔵|white_circle ⚪|black_circle ⚫|large_green_square 🟩|large_red_square 🟥
100 💯|1234 🔢|hash #️⃣|id 🆔|new 🆕|ok 🆗|cool 🆒|free 🆓|up 🆙|sos 🆘|a 🅰️|b 🅱️|o ⭕|star ⭐|star2 🌟|sparkles ✨|zap ⚡|fire 🔥|boom 💥|tada 🎉|trophy 🏆
one 1️⃣|two 2️⃣|three 3️⃣|four 4️⃣|five 5️⃣|six 6️⃣|seven 7️⃣|eight 8️⃣|nine 9️⃣|zero 0️⃣|keycap_ten 🔟
+1 👍|thumbsup 👍|-1 👎|thumbsdown 👎|wave 👋|raised_hands 🙌|clap 👏|pray 🙏|point_right 👉|point_left 👈|point_up 👆|point_down 👇|ok_hand 👌|muscle 💪|eyes 👀
smile 😄|smiley 😃|grinning 😀|slightly_smiling_face 🙂|wink 😉|joy 😂|thinking_face 🤔|neutral_face 😐|disappointed 😞|cry 😢|sob 😭|sweat_smile 😅|scream 😱|heart ❤️|broken_heart 💔
robot_face 🤖|bust_in_silhouette 👤|busts_in_silhouette 👥|construction 🚧|construction_worker 👷|house 🏠|office 🏢|door 🚪|truck 🚚|airplane ✈️|rocket 🚀|globe_with_meridians 🌐|snowflake ❄️|sunny ☀️|seedling 🌱
coffee ☕|beer 🍺|cake 🍰|dog 🐶|cat 🐱|bug 🐛|skull 💀|ghost 👻|poop 💩|hankey 💩`;

const known = new Map(
  table
    .split(/[|\n]/)
    .filter((entry) => entry !== '')
    .map((entry): [string, string] => {
      const at = entry.indexOf(' ');
      return [entry.slice(0, at), entry.slice(at + 1)];
    }),
);

/** The character for a name without its colons; a skin tone (`wave::skin-tone-3`) is ignored. */
export function emojiFor(name: string): string | undefined {
  return known.get(name.replace(/::skin-tone-[2-6]$/, ''));
}
