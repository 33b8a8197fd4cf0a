import { useQuery } from "@tanstack/react-query";
import { faultFields } from "../../api/fault.ts";
import { getCallStatistics, getOrderStatistics, getSpendStatistics } from "../../api/queries.ts";
import { Choice } from "../../ui/field.tsx";
import { FilterForm } from "../../ui/filter-form.tsx";
import { Page, Section } from "../../ui/page.tsx";
import { Found } from "../../ui/states.tsx";
import { useAccount } from "../account.ts";
import { GroupName, useGroupName } from "../group-name.tsx";
import { SpendFigures } from "../spend-figures.tsx";
import { GroupFigures } from "./group-figures.tsx";
import styles from "./statistics-page.module.css";
import { type StatisticsQuery, useStatisticsQuery } from "./use-statistics-query.ts";

/** What orders and calls come to over time, in charts with their tables. */
export default function StatisticsPage() {
  const { accountId } = useAccount();
  const { asked, query, enabled } = useStatisticsQuery();
  const spend = useQuery({ ...getSpendStatistics(accountId, query), enabled });
  return (
    <Page title="Statistics">
      <Section title="What was spent">
        <FilterForm asked={{ ...asked, from: query.from, to: query.to }} error={spend.error}>
          <Choice
            label="By"
            name="granularity"
            defaultValue={asked.granularity ?? "P1D"}
            error={faultFields(spend.error).granularity}
          >
            <option value="PT1H">Hour</option>
            <option value="P1D">Day</option>
            <option value="P1M">Month</option>
          </Choice>
        </FilterForm>
        {/* Its place is kept while it loads: nothing below it moves. */}
        <div className={styles.spend}>
          <Found query={spend}>{(found) => <SpendFigures spend={found} />}</Found>
        </div>
      </Section>
      <Orders query={query} enabled={enabled} />
      <Calls groupBy="model" query={query} enabled={enabled} />
      <Calls groupBy="key" query={query} enabled={enabled} />
    </Page>
  );
}

interface PartProps {
  readonly query: StatisticsQuery;
  readonly enabled: boolean;
}

function Orders({ query, enabled }: PartProps) {
  const { accountId } = useAccount();
  const orders = useQuery({
    ...getOrderStatistics(accountId, { ...query, groupBy: "product" }),
    enabled,
  });
  return (
    <Section title="Orders by product">
      <Found query={orders}>
        {(statistics) => (
          <GroupFigures
            label="What products were bought for"
            title="Product"
            statistics={statistics}
            nameOf={(id) => id}
            show={(id) => <code>{id}</code>}
            counts={{
              Orders: ({ orders }) => orders,
              Codes: ({ codes }) => codes,
              Refunded: ({ refunds }) => refunds,
            }}
          />
        )}
      </Found>
    </Section>
  );
}

function Calls({ groupBy, query, enabled }: PartProps & { groupBy: "key" | "model" }) {
  const { accountId } = useAccount();
  const nameOf = useGroupName();
  const calls = useQuery({ ...getCallStatistics(accountId, { ...query, groupBy }), enabled });
  return (
    <Section title={groupBy === "key" ? "Calls by key" : "Calls by model"}>
      <Found query={calls}>
        {(statistics) => (
          <GroupFigures
            label={groupBy === "key" ? "What calls of keys cost" : "What calls of models cost"}
            title={groupBy === "key" ? "Key" : "Model"}
            statistics={statistics}
            nameOf={(id) => nameOf(groupBy, id)}
            show={(id) => <GroupName groupBy={groupBy} id={id} />}
            counts={{ Completed: ({ completed }) => completed }}
          />
        )}
      </Found>
    </Section>
  );
}
