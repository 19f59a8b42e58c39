/** The file input: a file is uploaded as soon as it is chosen, and the form stores what the upload returned. */
import type { UploadedFile } from '../context.js';
import { el, pushButton } from '../dom.js';
import { isRecord, type Json, num, str, strings } from '../json.js';
import { controlProps, createField, type Place } from './field.js';

const isFile = (value: unknown): value is UploadedFile => isRecord(value) && typeof value.id === 'string';

export function drawFileInput(element: Json, place: Place): HTMLElement {
  const most = num(element, 'max_files') ?? 10;
  const types = strings(element, 'filetypes');
  const field = createField(place, element, { type: 'file_input', files: [] });
  let files: readonly UploadedFile[] = Array.isArray(field.value.files) ? field.value.files.filter(isFile) : [];
  const list = el('ul', { class: 'files' });
  const note = el('div', { class: 'field-error', role: 'alert' });
  const keep = (next: readonly UploadedFile[]): void => {
    files = next;
    void field.change({ type: 'file_input', files });
    show();
  };
  const show = (): void => {
    list.replaceChildren(
      ...files.map((file) =>
        el(
          'li',
          { 'data-test': 'file', 'data-file': file.id },
          el('span', { class: 'file-name' }, file.name || str(file, 'title') || file.id),
          pushButton(
            {
              class: 'chip-off',
              'aria-label': `Remove ${file.name}`,
              onclick: () => keep(files.filter((other) => other !== file)),
            },
            '×',
          ),
        ),
      ),
    );
    control.disabled = files.length >= most;
    area.classList.toggle('file-area-full', files.length >= most);
  };
  const take = async (newFiles: readonly File[]): Promise<void> => {
    note.textContent = '';
    const wrong = newFiles.find(
      (file) => types.length > 0 && !types.some((type) => file.name.toLowerCase().endsWith(`.${type.toLowerCase()}`)),
    );
    if (wrong) {
      note.textContent = `${wrong.name} is not an accepted file type (${types.join(', ')}).`;
      return;
    }
    if (files.length + newFiles.length > most) {
      note.textContent = `You can add up to ${most} ${most === 1 ? 'file' : 'files'}.`;
      return;
    }
    area.setAttribute('aria-busy', 'true');
    try {
      const sent: UploadedFile[] = [];
      for (const file of newFiles) sent.push(await place.surface.upload(file));
      keep([...files, ...sent]);
    } catch {
      note.textContent = 'The upload failed. Choose the file again.';
    } finally {
      area.removeAttribute('aria-busy');
      control.value = '';
    }
  };
  const control = el('input', {
    ...controlProps(place, element),
    type: 'file',
    class: 'file-control',
    multiple: most > 1,
    accept: types.length > 0 ? types.map((type) => `.${type}`).join(',') : undefined,
    onchange: () => void take([...(control.files ?? [])]),
  });
  const area = el(
    'div',
    {
      class: 'file-area',
      ondragover: (event: DragEvent) => event.preventDefault(),
      ondrop: (event: DragEvent) => {
        event.preventDefault();
        void take([...(event.dataTransfer?.files ?? [])]);
      },
    },
    el('span', { class: 'file-words' }, most > 1 ? 'Choose files or drop them here' : 'Choose a file or drop it here'),
    control,
  );
  show();
  return el('div', { class: 'file-input' }, area, list, note);
}
