// Found only where -I is passed through.
#pragma once
#define FROM_HEADER 31
