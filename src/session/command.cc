#include "session/command.h"

#include "session/graph.h"

namespace lockstep::session {

CommandPlace Command::place() const {
    CommandPlace place{stream};
    if (const auto* record = as<EventRecord>()) place.records = {record->event->id};
    if (const auto* wait = as<EventWait>()) place.waits_for = {wait->event->id};
    if (const auto* launch = as<GraphLaunch>()) {
        place.records = launch->plan->records;
        place.waits_for = launch->plan->waits_for;
    }
    return place;
}

bool Command::calls_host() const {
    const auto* launch = as<GraphLaunch>();
    return as<HostFunction>() || (launch && launch->plan->calls_host);
}

}  // namespace lockstep::session
