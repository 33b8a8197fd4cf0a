import { type ReactNode, use } from "react";
import { useSearchParams } from "wouter";
import { faultFields } from "../api/fault.ts";
import { Button } from "./button.tsx";
import { Field } from "./field.tsx";
import { Form } from "./form.tsx";
import { type Asked, daysOf, periodOf } from "./period.ts";
import { TimeZoneContext } from "./time.tsx";

interface FilterFormProps {
  /** What is asked for; the fields' names are the names of the query string. */
  readonly asked: Asked & { readonly timeZone?: string; readonly limit?: number };
  /** Why it could not be had, which may be for a field. */
  readonly error: unknown;
  /** Other fields than those of the period. */
  readonly children?: ReactNode;
}

/** By what a list is narrowed. It becomes the URL's query string, and the list begins anew. Days are those of the page's zone. */
export function FilterForm({ asked, error, children }: FilterFormProps) {
  const [, setQuery] = useSearchParams();
  const ofPage = use(TimeZoneContext);
  if (ofPage === null) return null;
  const zone = asked.timeZone ?? ofPage;
  const faults = faultFields(error);
  const days = daysOf(asked, zone);
  const send = ({ fromDay = "", toDay = "", ...others }: Readonly<Record<string, string>>) => {
    const query = { ...periodOf({ fromDay, toDay }, zone), ...others };
    setQuery(Object.fromEntries(Object.entries(query).filter(([, value]) => value !== "")));
  };
  return (
    <Form isRow key={JSON.stringify(asked)} onSend={send}>
      {asked.limit !== undefined && <input type="hidden" name="limit" value={asked.limit} />}
      {children}
      <Field label="From" name="fromDay" type="date" defaultValue={days.fromDay} error={faults.from} />
      <Field label="To" name="toDay" type="date" defaultValue={days.toDay} error={faults.to} />
      {asked.timeZone !== undefined && (
        <Field label="Time zone" name="timeZone" defaultValue={asked.timeZone} error={faults.timeZone} />
      )}
      <Button type="submit">Show</Button>
    </Form>
  );
}
