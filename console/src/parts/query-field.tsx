import { ADDRESS_FORM } from "./address-form.tsx";
import { filterValue } from "./filters.tsx";

/** The field of a query, which is kept in the URL under `name`, and the button that sends the form. */
export function QueryField(props: {
  name: string;
  label: string;
  placeholder: string;
  submit: string;
  autofocus?: boolean;
}) {
  const { name, label, placeholder, submit, autofocus = false } = props;
  const asked = filterValue(name);
  return (
    <search class="query" aria-label={label}>
      <input
        {...(name === "q" && { "data-search": true, autofocus: autofocus && asked === undefined })}
        type="search"
        form={ADDRESS_FORM}
        name={name}
        aria-label={label}
        placeholder={placeholder}
        defaultValue={asked ?? ""}
        autoComplete="off"
      />
      <button type="submit" form={ADDRESS_FORM} class="primary">
        {submit}
      </button>
    </search>
  );
}
